// Directions as seen in a picture.
#pragma once

#include <temporalot/picture.h>

// Unit vectors at a point: right and up in the picture, and towards the camera along its ray.
tot_status picture_axes(const tot_task *task, const tot_picture_settings *settings,
                        const double point[3], double axes[3][3]);
