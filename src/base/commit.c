#include <temporalot/base.h>

#include "commit.h"  // made by cmake/commit.cmake

const char *tot_commit(void) {
    return BASE_COMMIT;
}
