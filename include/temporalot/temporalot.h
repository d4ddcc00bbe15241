// temporalot/temporalot.h - everything.
#ifndef TEMPORALOT_H
#define TEMPORALOT_H

#include <temporalot/ads.h>
#include <temporalot/base.h>
#include <temporalot/demo.h>
#include <temporalot/file.h>
#include <temporalot/image.h>
#include <temporalot/page.h>
#include <temporalot/picture.h>
#include <temporalot/reward.h>
#include <temporalot/world.h>

#endif
