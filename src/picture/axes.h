// Directions as a picture shows them.
#pragma once

#include <temporalot/picture.h>

// At a point: right and up in the picture, and towards the camera along its ray; each one long.
tot_status picture_axes(const tot_task *task, const tot_picture_settings *settings,
                        const double point[3], double axes[3][3]);
