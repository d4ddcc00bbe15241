// The layers' kernels in the layouts that oneDNN's primitives require.
#pragma once

#include "encoder/onednn.h"
#include "encoder/weights.h"

// dims: [out][in][k][k], or [groups][1][1][k][k] if depthwise. Returns the number of dimensions.
int encoder_kernel_dims(const encoder_layer *layer, dnnl_dims_t dims);

// The kernel of a layer in the layout `wanted`, shared by all users of that layout. source: the
// type of the layer's input, which determines the int8 quantisation.
tot_status encoder_kernel_ordered(tot_weights *weights, int layer, const_dnnl_memory_desc_t wanted,
                                  dnnl_data_type_t source, const void **data);

// int8: the quantisation scale of each output channel's kernel, [out].
tot_status encoder_kernel_scales(tot_weights *weights, int layer, dnnl_data_type_t source,
                                 const float **scales);
