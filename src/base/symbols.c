#include "base/symbols.h"

#include <dlfcn.h>
#include <string.h>

const char *base_take_symbols(void *library, const base_symbol *symbols, size_t count,
                              void *table) {
    for (size_t k = 0; k < count; k++) {
        void *address = dlsym(library, symbols[k].name);
        if (address == NULL) {
            return symbols[k].name;
        }
        // ISO C has no conversion from an object pointer to a function pointer
        memcpy((char *)table + symbols[k].offset, &address, sizeof address);
    }
    return NULL;
}
