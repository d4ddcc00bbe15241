// The kernels of the layers as oneDNN's primitives want them.
#pragma once

#include "encoder/onednn.h"
#include "encoder/weights.h"

// dims: [out][in][k][k], or [groups][1][1][k][k] by channel. Returns how many there are.
int encoder_kernel_dims(const encoder_layer *layer, dnnl_dims_t dims);

// The kernel of a layer in the order `wanted`, shared by all that want the same. source: the type
// of the layer's input, on which that of int8 depends.
tot_status encoder_kernel_ordered(tot_weights *weights, int layer, const_dnnl_memory_desc_t wanted,
                                  dnnl_data_type_t source, const void **data);

// int8: what an unit of every output channel's kernel is worth, [out].
tot_status encoder_kernel_scales(tot_weights *weights, int layer, dnnl_data_type_t source,
                                 const float **scales);
