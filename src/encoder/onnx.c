// Reads an ONNX network: its file, its input, and the tensor used as the embedding.
#include "encoder/onnx.h"

#include <unistd.h>

#include "base/base.h"
#include "encoder/onnx_model.h"
#include "file/onnx.h"
#include "file/protobuf.h"

enum { MODEL_GRAPH = 7, GRAPH_OUTPUT = 12, VALUE_NAME = 1 };  // field numbers of ONNX's messages
enum { MOST_LISTED = 8 };

// --- settings -----------------------------------------------------------------------------------

const char *encoder_onnx_path(const char *path, const tot_weights_settings *settings) {
    const char *network = settings != NULL ? settings->network : NULL;
    if (network != NULL && base_ends_in(network, ".onnx")) {
        return network;
    }
    return path != NULL && base_ends_in(path, ".onnx") ? path : NULL;
}

static tot_status check_request(const char *path, const char *weights,
                                const tot_weights_settings *settings) {
    BASE_FAIL_IF(weights != NULL && strcmp(weights, path) != 0, TOT_E_ARGUMENT,
                 "weights: %s has its own and cannot use %s", path, weights);
    BASE_FAIL_IF(settings->network != NULL && strcmp(settings->network, path) != 0, TOT_E_ARGUMENT,
                 "encoder: %s is an ONNX network, not %s", path, settings->network);
    BASE_FAIL_IF(settings->stride != 0 && settings->stride != TOT_MAX_STRIDE, TOT_E_ARGUMENT,
                 "stride: not for the ONNX network %s: select an earlier feature map with output",
                 path);
    return settings->prefix == NULL
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT, "prefix: not for the ONNX network %s", path);
}

// --- inputs and outputs -------------------------------------------------------------------------

tot_status encoder_model_fail(const encoder_model *this) {
    return encoder_openvino_fail(this->openvino, this->path);
}

tot_status encoder_port_read(const encoder_model *this, ov_port *port, encoder_port *out) {
    const encoder_openvino *ov = this->openvino;
    ov_partial_shape shape = {0};
    char *name = NULL;
    *out = (encoder_port){.rank = -1};
    bool good = ov->ov_port_get_partial_shape(port, &shape) == 0;
    if (good && shape.rank.least == shape.rank.most && shape.rank.least <= ENCODER_MOST_RANK) {
        out->rank = shape.rank.least;
        for (int64_t k = 0; k < out->rank; k++) {
            const ov_dimension *side = &shape.sides[k];
            out->sides[k] = side->least == side->most ? side->least : -1;
        }
    }
    if (good && ov->ov_port_get_any_name(port, &name) == 0) {
        snprintf(out->name, sizeof out->name, "%s", name);
        ov->ov_free(name);
    }
    if (good) {
        ov->ov_partial_shape_free(&shape);
    }
    ov->ov_output_const_port_free(port);
    return good ? TOT_OK : encoder_model_fail(this);
}

static tot_status port_at(const encoder_model *this, bool input, size_t index, encoder_port *out) {
    const encoder_openvino *ov = this->openvino;
    ov_port *port = NULL;
    const int status = input ? ov->ov_model_const_input_by_index(this->model, index, &port)
                             : ov->ov_model_const_output_by_index(this->model, index, &port);
    return status == 0 ? encoder_port_read(this, port, out) : encoder_model_fail(this);
}

// Lists the names of all inputs or outputs: "a, b, c".
static tot_status list_ports(const encoder_model *this, bool input, size_t count, char *text,
                             size_t size) {
    text[0] = '\0';
    for (size_t k = 0; k < count && k < MOST_LISTED; k++) {
        encoder_port port;
        BASE_TRY(port_at(this, input, k, &port));
        base_append(text, size, "%s%.60s", k > 0 ? ", " : "", port.name);
    }
    return TOT_OK;
}

// Determines the layout of the input and checks that it takes square pictures.
static tot_status read_input(encoder_model *this) {
    encoder_port *input = &this->input;
    char names[700];
    size_t count = 0;
    if (this->openvino->ov_model_inputs_size(this->model, &count) != 0) {
        return encoder_model_fail(this);
    }
    if (count != 1) {
        BASE_TRY(list_ports(this, true, count, names, sizeof names));
        return base_fail(
            TOT_E_UNSUPPORTED,
            "%s: has %zu inputs (%s) instead of one: export only the part that takes pictures",
            this->path, count, names);
    }
    BASE_TRY(port_at(this, true, 0, input));
    if (input->rank < 0) {  // even the rank is dynamic
        *input = (encoder_port){.rank = 4, .sides = {-1, 3, -1, -1}};
    }
    const int64_t *sides = input->sides;
    this->planes = sides[1] == 3 || (sides[1] < 0 && sides[3] != 3);
    const int64_t channels = this->planes ? sides[1] : sides[3];
    this->height = this->planes ? sides[2] : sides[1];
    const int64_t width = this->planes ? sides[3] : sides[2];
    BASE_FAIL_IF(input->rank != 4 || (channels != 3 && channels >= 0), TOT_E_UNSUPPORTED,
                 "%s: input %s does not take pictures (1, 3, height, width): it has %lld "
                 "dimensions and %lld channels",
                 this->path, input->name, (long long)input->rank, (long long)channels);
    BASE_FAIL_IF(this->height >= 0 && width >= 0 && this->height != width, TOT_E_UNSUPPORTED,
                 "%s: expects pictures of %lld x %lld pixels, but only square ones are supported",
                 this->path, (long long)width, (long long)this->height);
    this->height = this->height >= 0 ? this->height : width;
    return TOT_OK;
}

// The first output with 3 or 4 dimensions, otherwise the first output.
static tot_status choose_output(encoder_model *this) {
    size_t count = 0;
    BASE_FAIL_IF(this->openvino->ov_model_outputs_size(this->model, &count) != 0 || count == 0,
                 TOT_E_UNSUPPORTED, "%s: has no output", this->path);
    BASE_TRY(port_at(this, false, 0, &this->output));
    for (size_t k = 0; k < count; k++) {
        encoder_port port;
        BASE_TRY(port_at(this, false, k, &port));
        if (port.rank == 3 || port.rank == 4) {
            this->output = port;
            return TOT_OK;
        }
    }
    return TOT_OK;
}

static bool find_output(encoder_model *this, const char *name) {
    ov_port *port = NULL;
    if (this->openvino->ov_model_const_output_by_name(this->model, name, &port) != 0 ||
        encoder_port_read(this, port, &this->output) != TOT_OK) {
        return false;
    }
    snprintf(this->output.name, sizeof this->output.name, "%s", name);
    return true;
}

// --- reading ------------------------------------------------------------------------------------

static void forget_model(encoder_model *this) {
    if (this->model != NULL) {
        this->openvino->ov_model_free(this->model);
        this->model = NULL;
    }
}

static tot_status read_file(encoder_model *this) {
    forget_model(this);
    return this->openvino->ov_core_read_model(this->openvino->core, this->path, NULL,
                                              &this->model) == 0
               ? TOT_OK
               : encoder_model_fail(this);
}

// Reads the file with one more output appended: protobuf merges the fields of a message that occurs
// twice.
static tot_status read_with_output(encoder_model *this, const char *name) {
    file_protobuf value = {0}, graph = {0}, model = {0};
    char *bytes = NULL;
    size_t size = 0;
    file_protobuf_text(&value, VALUE_NAME, name);
    file_protobuf_message(&graph, GRAPH_OUTPUT, &value);
    tot_status status = file_source_read_file(&bytes, &size, this->path, INT32_MAX, "ONNX network");
    if (status == TOT_OK) {
        file_protobuf_raw(&model, bytes, size);
        base_free(bytes);
        file_protobuf_message(&model, MODEL_GRAPH, &graph);
        status = file_protobuf_status(&model);
    }
    forget_model(this);
    if (status == TOT_OK &&
        this->openvino->ov_core_read_model_from_memory_buffer(
            this->openvino->core, (const char *)model.bytes, model.size, NULL, &this->model) != 0) {
        status = encoder_model_fail(this);
    }
    file_protobuf_free(&value);
    file_protobuf_free(&graph);
    file_protobuf_free(&model);
    return status;
}

static tot_status no_output(encoder_model *this, const char *name, const char *why) {
    char names[700];
    size_t count = 0;
    BASE_TRY(read_file(this));
    this->openvino->ov_model_outputs_size(this->model, &count);
    BASE_TRY(list_ports(this, false, count, names, sizeof names));
    return base_fail(TOT_E_ARGUMENT, "output: %s has no tensor '%.100s'%s; its outputs are %s",
                     this->path, name, why, names);
}

static tot_status take_output(encoder_model *this, const char *name, bool external) {
    if (name == NULL) {
        return choose_output(this);
    }
    if (find_output(this, name)) {
        return TOT_OK;
    }
    if (external) {
        return no_output(this, name,
                         " among its outputs, and with external weights others cannot "
                         "be had");
    }
    return read_with_output(this, name) == TOT_OK && find_output(this, name)
               ? TOT_OK
               : no_output(this, name, "");
}

// Makes the network's input and output float32, whatever their types are.
static tot_status take_floats(encoder_model *this) {
    const encoder_openvino *ov = this->openvino;
    ov_prepostprocessor *processor = NULL;
    ov_input_info *input = NULL;
    ov_input_tensor_info *input_tensor = NULL;
    ov_output_info *output = NULL;
    ov_output_tensor_info *output_tensor = NULL;
    ov_model *built = NULL;
    const bool good =
        ov->ov_preprocess_prepostprocessor_create(this->model, &processor) == 0 &&
        ov->ov_preprocess_prepostprocessor_get_input_info_by_index(processor, 0, &input) == 0 &&
        ov->ov_preprocess_input_info_get_tensor_info(input, &input_tensor) == 0 &&
        ov->ov_preprocess_input_tensor_info_set_element_type(input_tensor, OV_F32) == 0 &&
        ov->ov_preprocess_prepostprocessor_get_output_info_by_name(processor, this->output.name,
                                                                   &output) == 0 &&
        ov->ov_preprocess_output_info_get_tensor_info(output, &output_tensor) == 0 &&
        ov->ov_preprocess_output_set_element_type(output_tensor, OV_F32) == 0 &&
        ov->ov_preprocess_prepostprocessor_build(processor, &built) == 0;
    const tot_status status = good ? TOT_OK : encoder_model_fail(this);
    ov->ov_preprocess_output_tensor_info_free(output_tensor);
    ov->ov_preprocess_output_info_free(output);
    ov->ov_preprocess_input_tensor_info_free(input_tensor);
    ov->ov_preprocess_input_info_free(input);
    ov->ov_preprocess_prepostprocessor_free(processor);
    if (built != NULL) {
        forget_model(this);
        this->model = built;
    }
    return status;
}

// The network of "models/dinov2.onnx" is named dinov2.
static void name_network(encoder_model *this) {
    const char *slash = strrchr(this->path, '/');
    const char *base = slash != NULL ? slash + 1 : this->path;
    const size_t length = strlen(base) - strlen(".onnx");
    snprintf(this->name, sizeof this->name, "%.*s", (int)length, base);
    for (char *letter = this->name; *letter != '\0'; letter++) {
        *letter = *letter == ' ' ? '_' : *letter;  // encoder descriptions are split at spaces
    }
    const encoder_port *output = &this->output;
    const int64_t channels = output->rank == 4   ? output->sides[1]
                             : output->rank >= 1 ? output->sides[output->rank - 1]
                                                 : -1;
    this->info = (tot_network_info){.name = this->name,
                                    .channels = channels > 0 ? (int)channels : 0,
                                    .help = "an ONNX network, by OpenVINO"};
}

static tot_status load(tot_weights *weights, encoder_model *this,
                       const tot_weights_settings *settings, file_sha256 *sum) {
    file_onnx file = {0};
    BASE_TRY(encoder_preprocess_read(&this->preprocess, settings));
    BASE_TRY(file_onnx_hash(&file, this->path, sum));
    const bool external = file.external_count > 0;
    file_onnx_free(&file);
    BASE_TRY(encoder_openvino_load(&this->openvino));
    BASE_TRY(read_file(this));
    BASE_TRY(read_input(this));
    BASE_TRY(take_output(this, settings->output, external));
    BASE_TRY(take_floats(this));
    // a different output or normalisation makes a different encoder
    file_sha256_add(sum, this->output.name, strlen(this->output.name));
    file_sha256_add(sum, this->preprocess.scale, sizeof this->preprocess.scale);
    file_sha256_add(sum, this->preprocess.shift, sizeof this->preprocess.shift);
    encoder_weights_hash(weights, sum);
    name_network(this);
    weights->network.info = &this->info;
    return TOT_OK;
}

static tot_status create_model(tot_weights *weights, const char *path) {
    encoder_model *this = base_alloc_zero(1, sizeof *this, "weights");
    weights->model = this;
    BASE_HAVE(this);
    this->process = getpid();
    this->path = base_copy_text(path);
    return this->path != NULL ? TOT_OK : TOT_E_MEMORY;
}

tot_status encoder_onnx_load(tot_weights **out, const char *path, const char *given,
                             const tot_weights_settings *settings) {
    static const tot_weights_settings defaults;
    *out = NULL;
    file_sha256 *sum = NULL;
    settings = settings != NULL ? settings : &defaults;
    BASE_TRY(check_request(path, given, settings));
    tot_weights *weights = encoder_weights_create(&encoder_onnx);
    tot_status status = weights != NULL ? create_model(weights, path) : TOT_E_MEMORY;
    BASE_THEN(status, file_sha256_start(&sum));
    BASE_THEN(status, load(weights, weights->model, settings, sum));
    base_free(sum);
    BASE_GIVE(status, out, weights, tot_weights_free);
}
