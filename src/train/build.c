#include <elf.h>
#include <link.h>
#include <pthread.h>

#include "base/base.h"
#include "base/kernels.h"
#include "train/checkpoint.h"

enum { TEXT_SIZE = 128 };

static char build_text[TEXT_SIZE];

// Writes the build id in a note segment as hex. Returns whether there was one.
static bool read_notes(const unsigned char *notes, size_t size) {
    size_t place = 0;
    while (place + sizeof(ElfW(Nhdr)) <= size) {
        ElfW(Nhdr) note;
        memcpy(&note, notes + place, sizeof note);
        const size_t name = place + sizeof note;
        const size_t id = name + (note.n_namesz + 3u) / 4 * 4;
        const size_t next = id + (note.n_descsz + 3u) / 4 * 4;
        if (next > size) {
            return false;
        }
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes + name, "GNU", 4) == 0) {
            for (size_t k = 0; k < note.n_descsz && 2 * k + 3 < TEXT_SIZE; k++) {
                snprintf(build_text + 2 * k, 3, "%02x", notes[id + k]);
            }
            return true;
        }
        place = next;
    }
    return false;
}

// Whether a loaded object contains this function.
static bool is_ours(const struct dl_phdr_info *info) {
    const ElfW(Addr) here = (ElfW(Addr))(uintptr_t)&train_build_text;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        const ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && here >= start && here < start + part->p_memsz) {
            return true;
        }
    }
    return false;
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int k = 0; is_ours(info) && k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        if (part->p_type == PT_NOTE &&
            read_notes((const unsigned char *)(uintptr_t)(info->dlpi_addr + part->p_vaddr),
                       part->p_memsz)) {
            return 1;
        }
    }
    return 0;
}

static void find_build(void) {
    if (dl_iterate_phdr(visit, NULL) == 0) {
        snprintf(build_text, sizeof build_text, "%s", __VERSION__);
    }
}

const char *train_build_text(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_build);
    return build_text;
}

void train_cpu_kind(char *text, size_t size) {
    char model[128];
    base_cpu_name(model, sizeof model);
    snprintf(text, size, "%s, %s", tot_cpu_text(tot_cpu()), model[0] != '\0' ? model : "unknown");
}
