// Runs an ONNX network compiled for a picture size. Each request runs one picture on one thread, so
// that the result depends neither on the batch nor on the number of threads.
#include <unistd.h>

#include "base/base.h"
#include "encoder/onednn.h"
#include "encoder/onnx_model.h"

// --- the size of the input ----------------------------------------------------------------------

static bool reshape(const encoder_model *this, int64_t batch, int64_t side) {
    const encoder_openvino *ov = this->openvino;
    const int64_t sides[4] = {batch, this->planes ? 3 : side, side, this->planes ? side : 3};
    ov_partial_shape shape = {0};
    if (ov->ov_partial_shape_create_static(4, sides, &shape) != 0) {
        return false;
    }
    const bool good = ov->ov_model_reshape_single_input(this->model, shape) == 0;
    ov->ov_partial_shape_free(&shape);
    return good;
}

// Sets the input size; the error tells whether the batch or the picture size does not fit, if that
// can be determined.
static tot_status fix_input(const encoder_model *this, int size) {
    if (reshape(this, 1, size)) {
        return TOT_OK;
    }
    const tot_status status = encoder_model_fail(this);
    const int64_t batch = this->input.sides[0];
    BASE_FAIL_IF(this->height > 0 && this->height != size && reshape(this, 1, this->height),
                 TOT_E_ARGUMENT, "size: %s expects pictures of %lld pixels per side, not %d",
                 this->path, (long long)this->height, size);
    BASE_FAIL_IF(batch > 1 && this->height > 0 && reshape(this, batch, this->height),
                 TOT_E_UNSUPPORTED,
                 "%s: expects batches of %lld pictures: export it with a batch size of one, or a "
                 "dynamic one",
                 this->path, (long long)batch);
    return status;
}

static tot_status read_layout(const encoder_model *this, encoder_layout *layout) {
    ov_port *port = NULL;
    encoder_port output;
    if (this->openvino->ov_model_const_output_by_name(this->model, this->output.name, &port) != 0) {
        return encoder_model_fail(this);
    }
    BASE_TRY(encoder_port_read(this, port, &output));
    const tot_status status = encoder_layout_read(layout, output.sides, output.rank);
    return status == TOT_OK ? TOT_OK
                            : base_fail_in(status, "%s: %s", this->path, this->output.name);
}

// --- compiling ----------------------------------------------------------------------------------

static tot_status compile(const encoder_model *this, encoder_compiled *made) {
    char threads[16];
    snprintf(threads, sizeof threads, "%d", made->threads);
    BASE_TRY(fix_input(this, made->size));
    BASE_TRY(read_layout(this, &made->layout));
    const int status = this->openvino->ov_core_compile_model(
        this->openvino->core, this->model, "CPU", 8, &made->compiled, "INFERENCE_PRECISION_HINT",
        tot_precision_text(made->precision), "INFERENCE_NUM_THREADS", threads, "NUM_STREAMS",
        threads, "ENABLE_CPU_PINNING", "NO");
    return status == 0 ? TOT_OK : encoder_model_fail(this);
}

static tot_status add_compiled(encoder_model *this, const encoder_compiled *wanted,
                               const encoder_compiled **out) {
    BASE_NEW(encoder_compiled, made, "encoder");
    *made = *wanted;
    const tot_status status = compile(this, made);
    if (status != TOT_OK) {
        base_free(made);
        return status;
    }
    made->next = this->compiled;
    this->compiled = made;
    *out = made;
    return TOT_OK;
}

// The network compiled for this plan; compiled on first use.
static tot_status find_compiled(const encoder_plan *plan, const encoder_compiled **out) {
    encoder_model *this = plan->weights->model;
    const encoder_compiled wanted = {
        .size = plan->settings.size, .threads = plan->lanes, .precision = plan->settings.precision};
    tot_status status = TOT_OK;
    pthread_mutex_lock(&plan->weights->lock);
    *out = this->compiled;
    while (*out != NULL && ((*out)->size != wanted.size || (*out)->threads != wanted.threads ||
                            (*out)->precision != wanted.precision)) {
        *out = (*out)->next;
    }
    if (*out == NULL) {
        status = add_compiled(this, &wanted, out);
    }
    pthread_mutex_unlock(&plan->weights->lock);
    return status;
}

// --- the engine ---------------------------------------------------------------------------------

typedef struct request {
    const encoder_model *model;
    encoder_layout layout;
    bool pool;
    int64_t pixels;  // pixels per picture
    int64_t width;   // elements per picture
    ov_infer_request *infer;
    ov_tensor *input;
    float *picture;  // the data of input
} request;

static void free_request(void *engine) {
    request *this = engine;
    BASE_UNLESS_NULL(this);
    this->model->openvino->ov_tensor_free(this->input);
    this->model->openvino->ov_infer_request_free(this->infer);
    base_free(this);
}

static tot_status create_request(void **engine, const encoder_plan *plan, int share, int threads) {
    (void)share, (void)threads;
    const encoder_model *model = plan->weights->model;
    const encoder_openvino *ov = model->openvino;
    const encoder_compiled *compiled = NULL;
    void *picture = NULL;
    size_t bytes = 0;
    BASE_TRY(find_compiled(plan, &compiled));
    request *this = base_alloc_zero(1, sizeof *this, "encoder");
    *engine = this;
    BASE_HAVE(this);
    this->model = model;
    this->layout = compiled->layout;
    this->pool = plan->settings.pool;
    this->pixels = (int64_t)plan->settings.size * plan->settings.size;
    this->width = plan->width;
    if (ov->ov_compiled_model_create_infer_request(compiled->compiled, &this->infer) != 0 ||
        ov->ov_infer_request_get_input_tensor_by_index(this->infer, 0, &this->input) != 0 ||
        ov->ov_tensor_data(this->input, &picture) != 0 ||
        ov->ov_tensor_get_byte_size(this->input, &bytes) != 0 ||
        bytes != (size_t)this->pixels * ENCODER_PICTURE_CHANNELS * sizeof(float)) {
        return encoder_model_fail(model);
    }
    this->picture = picture;
    return TOT_OK;
}

static tot_status run_one(const request *this, const uint8_t *rgb, float *out) {
    const encoder_model *model = this->model;
    const encoder_openvino *ov = model->openvino;
    ov_tensor *output = NULL;
    void *numbers = NULL;
    encoder_preprocess_run(&model->preprocess, rgb, this->pixels, model->planes, this->picture);
    if (ov->ov_infer_request_infer(this->infer) != 0 ||
        ov->ov_infer_request_get_tensor(this->infer, model->output.name, &output) != 0) {
        return encoder_model_fail(model);
    }
    const bool good = ov->ov_tensor_data(output, &numbers) == 0;
    if (good) {
        encoder_layout_take(&this->layout, numbers, this->pool, out);
    }
    ov->ov_tensor_free(output);
    return good ? TOT_OK : encoder_model_fail(model);
}

static tot_status run_request(void *engine, const uint8_t *rgb, int count, float *out) {
    const request *this = engine;
    for (int k = 0; k < count; k++) {
        BASE_TRY(run_one(this, rgb + k * this->pixels * ENCODER_PICTURE_CHANNELS,
                         out + k * this->width));
    }
    return TOT_OK;
}

static const encoder_engine openvino_engine = {
    .create = create_request, .run = run_request, .free = free_request};

// --- the family ---------------------------------------------------------------------------------

static tot_status check_precision(tot_precision precision) {
    BASE_FAIL_IF(precision == TOT_PRECISION_INT8, TOT_E_UNSUPPORTED, ENCODER_ONNX_NO_INT8);
    return precision == TOT_PRECISION_F32 || encoder_onednn_has_bf16()
               ? TOT_OK
               : base_fail(TOT_E_UNSUPPORTED, "precision: this CPU does not support bf16");
}

static tot_status plan_onnx(encoder_plan *plan) {
    const encoder_model *model = plan->weights->model;
    const encoder_compiled *compiled = NULL;
    BASE_FAIL_IF(model->process != getpid(), TOT_E_UNSUPPORTED,
                 "%s: was loaded before a fork, which OpenVINO does not survive: load it in "
                 "each process, or start them with spawn",
                 model->path);
    if (plan->settings.size == 0) {
        plan->settings.size = model->height > 0 ? (int)model->height : model->preprocess.size;
    }
    BASE_TRY(encoder_check_size(plan->settings.size));
    BASE_TRY(check_precision(plan->settings.precision));
    BASE_TRY(find_compiled(plan, &compiled));
    const encoder_layout *layout = &compiled->layout;
    plan->map = plan->settings.pool ? layout->channels : layout->channels * layout->cells;
    plan->width = plan->map;
    plan->engine = &openvino_engine;
    return TOT_OK;
}

static void free_onnx(tot_weights *weights) {
    encoder_model *this = weights->model;
    BASE_UNLESS_NULL(this);
    while (this->compiled != NULL) {
        encoder_compiled *next = this->compiled->next;
        this->openvino->ov_compiled_model_free(this->compiled->compiled);
        base_free(this->compiled);
        this->compiled = next;
    }
    if (this->model != NULL) {
        this->openvino->ov_model_free(this->model);
    }
    BASE_RELEASE(this->path, this);
}

const encoder_family encoder_onnx = {.plan = plan_onnx, .free = free_onnx};
