// temporalot/temporalot.h - includes all public headers.
#ifndef TEMPORALOT_H
#define TEMPORALOT_H

#include <temporalot/ads.h>
#include <temporalot/agent.h>
#include <temporalot/base.h>
#include <temporalot/demo.h>
#include <temporalot/diagnosis.h>
#include <temporalot/encoder.h>
#include <temporalot/file.h>
#include <temporalot/flat.h>
#include <temporalot/image.h>
#include <temporalot/label.h>
#include <temporalot/nn.h>
#include <temporalot/page.h>
#include <temporalot/picture.h>
#include <temporalot/replay.h>
#include <temporalot/report.h>
#include <temporalot/reward.h>
#include <temporalot/runs.h>
#include <temporalot/statistics.h>
#include <temporalot/study.h>
#include <temporalot/sweep.h>
#include <temporalot/tensors.h>
#include <temporalot/train.h>
#include <temporalot/world.h>

#endif
