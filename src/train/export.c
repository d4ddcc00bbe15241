// The actor as .npz.
#include "train/export.h"

#include <string.h>

#include "base/error.h"
#include "file/npz.h"

// Is it a weight that acting needs, not one of Adam's?
bool tot_is_acting(const char *name) {
    const bool acts = strncmp(name, "actor.", 6) == 0 || strncmp(name, "encoder.", 8) == 0;
    return acts && strstr(name, ".adam.") == NULL;
}

static tot_status add_all(tot_npz_writer *npz, tot_agent *agent) {
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const char *name = tot_agent_tensor_name(agent, k);
        const tot_array tensor = tot_agent_tensor(agent, k);
        TOT_TRY(tot_is_acting(name) ? tot_npz_add(npz, name, &tensor) : TOT_OK);
    }
    return TOT_OK;
}

tot_status tot_export_npz(tot_agent *agent, const char *path) {
    tot_npz_writer *npz = NULL;
    TOT_TRY(tot_npz_create(&npz, path, false));
    return tot_npz_end(npz, add_all(npz, agent));
}
