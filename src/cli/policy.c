// temporalot policy export: a run's actor, for use in other programs.
#include "cli/cli.h"
#include "cli/output.h"

typedef struct request {
    const char *run;
    cli_output out;
    cli_common common;
} request;

static int write_policy(request *args) {
    CLI_NEED(args->run != NULL, "policy export", "--run FOLDER");
    CLI_NEED(args->out.path != NULL, "policy export", "--out FILE.npz|FILE.onnx");
    const int code = cli_outputs_check(&args->out, 1, NULL, args->common.overwrite);
    if (code != EXIT_DONE) {
        return code;
    }
    tot_player *player = NULL;
    tot_status status = tot_player_load(&player, args->run, NULL);
    BASE_THEN(status, tot_player_export(player, args->out.path));
    if (status == TOT_OK && args->common.json) {
        printf("{\"step\": %lld", (long long)tot_player_step(player));
        cli_outputs_json(&args->out, 1);
        printf("}\n");
    } else if (status == TOT_OK && !args->common.quiet) {
        printf("%s: the actor after %lld steps\n", args->out.path,
               (long long)tot_player_step(player));
    }
    tot_player_free(player);
    return cli_result(status);
}

static const char usage[] = "policy export --run FOLDER --out FILE.npz|FILE.onnx";
static const char about[] =
    "Writes the actor of a run's newest checkpoint: its tensors (.npz), or a graph from\n"
    "`observation` to `action` that onnxruntime runs (.onnx).";

int cli_policy(int argc, char **argv) {
    request args = {.out = {.option = "out"}};
    const cli_option options[] = {
        {"run", CLI_TEXT, &args.run, "FOLDER", "run folder of temporalot train"},
        {"out", CLI_TEXT, &args.out.path, "FILE", "output file, .npz or .onnx"},
    };
    const int code =
        cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common, NULL);
    return code == CLI_GO ? write_policy(&args) : code;
}
