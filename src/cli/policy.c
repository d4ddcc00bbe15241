// temporalot policy export: a run's actor, for use in other programs.
#include "cli/cli.h"
#include "cli/output.h"

typedef struct request {
    const char *run;
    const char *out;
    cli_common common;
} request;

static int write_policy(const request *args) {
    CLI_NEED(args->run != NULL, "policy export", "--run FOLDER");
    CLI_NEED(args->out != NULL, "policy export", "--out FILE.npz|FILE.onnx");
    cli_output output = {"out", args->out, false};
    const int code = cli_outputs_check(&output, 1, NULL, args->common.overwrite);
    if (code != EXIT_DONE) {
        return code;
    }
    tot_player *player = NULL;
    tot_status status = tot_player_load(&player, args->run, NULL);
    BASE_THEN(status, tot_player_export(player, args->out));
    if (status == TOT_OK && args->common.json) {
        printf("{\"step\": %lld", (long long)tot_player_step(player));
        cli_outputs_json(&output, 1);
        printf("}\n");
    } else if (status == TOT_OK && !args->common.quiet) {
        printf("%s: the actor after %lld steps\n", args->out, (long long)tot_player_step(player));
    }
    tot_player_free(player);
    return cli_result(status);
}

static const char usage[] = "policy export --run FOLDER --out FILE.npz|FILE.onnx";
static const char about[] =
    "Writes the actor of a run's newest checkpoint: its tensors (.npz), or a graph from\n"
    "`observation` to `action` that onnxruntime runs (.onnx).";

int cli_policy(int argc, char **argv) {
    request args = {0};
    const cli_option options[] = {
        {"run", CLI_TEXT, &args.run, "FOLDER", "run folder of temporalot train"},
        {"out", CLI_TEXT, &args.out, "FILE", "output file, .npz or .onnx"},
    };
    const int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    return code == CLI_GO ? write_policy(&args) : code;
}
