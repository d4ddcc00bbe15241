#include "encoder/graph.h"

#include "base/base.h"
#include "encoder/graph_state.h"
#include "encoder/preprocess.h"

tot_status encoder_graph_create(encoder_graph **out, tot_weights *weights,
                                const encoder_graph_settings *settings) {
    *out = NULL;
    BASE_NEW(encoder_graph, graph, "encoder");
    graph->settings = *settings;
    graph->weights = weights;
    const int threads = encoder_onednn_threads(settings->threads);
    const tot_status status = encoder_graph_build(graph);
    encoder_onednn_threads(threads);
    BASE_GIVE(status, out, graph, encoder_graph_free);
}

static void watch(const encoder_graph *graph, const encoder_step *step) {
    if (graph->watcher != NULL && step->layer != ENCODER_NONE) {
        const encoder_block *block = &graph->blocks[graph->values[step->target].block];
        graph->watcher(
            graph->watcher_context, step->layer,
            (const float *)(const void *)(graph->memory + block->offset),
            dnnl_memory_desc_get_size(graph->values[step->target].shape) / sizeof(float));
    }
}

static tot_status run_steps(encoder_graph *graph) {
    for (int k = 0; k < graph->step_count; k++) {
        const encoder_step *step = &graph->steps[k];
        ENCODER_ONEDNN(
            dnnl_primitive_execute(step->primitive, graph->stream, step->count, step->arguments));
        watch(graph, step);
    }
    ENCODER_ONEDNN(dnnl_stream_wait(graph->stream));
    return TOT_OK;
}

tot_status encoder_graph_run(encoder_graph *graph, const uint8_t *rgb, float *out) {
    const encoder_graph_settings *settings = &graph->settings;
    ENCODER_ONEDNN(dnnl_memory_set_data_handle(graph->out, out));
    encoder_load(rgb, (size_t)settings->batch * (size_t)settings->size * (size_t)settings->size,
                 graph->picture);
    const int threads = encoder_onednn_threads(settings->threads);
    BASE_FINALLY(run_steps(graph), encoder_onednn_threads(threads));
}

void encoder_graph_watch(encoder_graph *graph, encoder_graph_watcher watcher, void *context) {
    graph->watcher = watcher;
    graph->watcher_context = context;
}

const char *encoder_graph_kernel(const encoder_graph *graph, int layer) {
    for (int k = 0; k < graph->step_count; k++) {
        if (graph->steps[k].layer == layer && layer != ENCODER_NONE) {
            return graph->steps[k].kernel;
        }
    }
    return "";
}

bool encoder_graph_has_int8(void) {
    return encoder_onednn_has_int8();
}

void encoder_graph_free(encoder_graph *graph) {
    BASE_UNLESS_NULL(graph);
    for (int k = 0; k < graph->step_count; k++) {
        encoder_step *step = &graph->steps[k];
        for (int j = 0; j < step->count; j++) {
            dnnl_memory_destroy(step->arguments[j].memory);
        }
        dnnl_primitive_destroy(step->primitive);
        dnnl_primitive_desc_destroy(step->description);
    }
    for (int k = 0; k < graph->value_count; k++) {
        dnnl_memory_desc_destroy(graph->values[k].shape);
    }
    dnnl_stream_destroy(graph->stream);
    BASE_RELEASE(graph->memory, graph);
}
