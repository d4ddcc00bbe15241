// Deduplicates the pages of several models in a memory-only file.
#include "world/pages.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    SLOTS = 1 << 16,             // of the hash table, a power of two
    MOST_PAGES = SLOTS / 4 * 3,  // 192 MB
    LEAST = 16 * PAGE            // smaller arrays are not worth a mapping
};

// One page of the file. Linear probing starts at the slot of the hash.
typedef struct slot {
    uint64_t hash;
    int32_t page;  // its index + 1; 0: the slot is free
} slot;

static struct {
    int file;
    int users;  // models
    int32_t pages;
    uint8_t *bytes;  // mapping of the whole file, [MOST_PAGES x PAGE]
    slot *slots;     // [SLOTS]
} pool = {.file = -1};

static void close_pool(void) {
    if (pool.bytes != NULL) {
        munmap(pool.bytes, (size_t)MOST_PAGES * PAGE);
    }
    if (pool.slots != NULL) {
        munmap(pool.slots, SLOTS * sizeof *pool.slots);
    }
    if (pool.file >= 0) {
        close(pool.file);
    }
    pool.bytes = NULL;
    pool.slots = NULL;
    pool.file = -1;
    pool.pages = 0;
}

// Uses system memory, not base_alloc, because pages are mapped more than once.
static bool open_pool(void) {
    if (pool.file >= 0) {
        return true;
    }
    if (sysconf(_SC_PAGESIZE) != PAGE) {
        return false;
    }
    const int shared = PROT_READ | PROT_WRITE;
    pool.file = memfd_create("temporalot scenes", MFD_CLOEXEC);
    if (pool.file < 0 || ftruncate(pool.file, (off_t)MOST_PAGES * PAGE) != 0) {
        close_pool();
        return false;
    }
    void *bytes = mmap(NULL, (size_t)MOST_PAGES * PAGE, shared, MAP_SHARED, pool.file, 0);
    void *slots =
        mmap(NULL, SLOTS * sizeof *pool.slots, shared, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pool.bytes = bytes != MAP_FAILED ? bytes : NULL;
    pool.slots = slots != MAP_FAILED ? slots : NULL;
    if (pool.bytes == NULL || pool.slots == NULL) {
        close_pool();
        return false;
    }
    return true;
}

// FNV-1a on eight-byte words, with mixing, because the low bits select the slot.
static uint64_t hash_page(const uint8_t *page) {
    uint64_t hash = 14695981039346656037u;
    for (int k = 0; k < PAGE; k += 8) {
        uint64_t word = 0;
        memcpy(&word, page + k, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash ^ (hash >> 32);
}

// The index of the page with this content, added if there is none; -1: the file is full.
static int32_t find_page(const uint8_t *page) {
    const uint64_t hash = hash_page(page);
    size_t at = hash & (SLOTS - 1);
    for (; pool.slots[at].page != 0; at = (at + 1) & (SLOTS - 1)) {
        const int32_t number = pool.slots[at].page - 1;
        if (pool.slots[at].hash == hash &&
            memcmp(pool.bytes + (size_t)number * PAGE, page, PAGE) == 0) {
            return number;
        }
    }
    if (pool.pages == MOST_PAGES) {
        return -1;
    }
    memcpy(pool.bytes + (size_t)pool.pages * PAGE, page, PAGE);
    pool.slots[at] = (slot){.hash = hash, .page = ++pool.pages};
    return pool.pages - 1;
}

// Maps pages number .. number + count - 1 of the file.
static bool map_run(uint8_t *address, int32_t number, size_t count) {
    return mmap(address, count * PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, pool.file,
                (off_t)number * PAGE) != MAP_FAILED;
}

// Maps the array to the pages at address, starting `before` bytes into the first.
static bool fill(uint8_t *address, size_t pages, const uint8_t *array, size_t size, size_t before) {
    int32_t first = 0;
    size_t run = 0;
    for (size_t k = 0; k < pages; k++) {
        uint8_t page[PAGE] = {0};
        const size_t from = k == 0 ? before : 0;
        const size_t done = k * PAGE + from - before;
        const size_t left = size - done;
        memcpy(page + from, array + done, left < PAGE - from ? left : PAGE - from);
        const int32_t number = find_page(page);
        if (number < 0) {
            return false;
        }
        if (run > 0 && number != first + (int32_t)run) {
            if (!map_run(address + (k - run) * PAGE, first, run)) {
                return false;
            }
            run = 0;
        }
        first = run == 0 ? number : first;
        run++;
    }
    return map_run(address + (pages - run) * PAGE, first, run);
}

// Returns the pages that are entirely within the array to the system.
static void give_back(void *array, size_t size) {
    const uintptr_t begin = ((uintptr_t)array + PAGE - 1) / PAGE * PAGE;
    const uintptr_t end = ((uintptr_t)array + size) / PAGE * PAGE;
    if (end > begin) {
        madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
}

// The robot's meshes come after those of the task, so an array of them is aligned to end at a page
// boundary: its pages are then identical in all models. Shared textures come first.
static void *share_array(void *array, size_t size, bool from_start, world_mappings *mappings) {
    if (array == NULL || size < LEAST || mappings->count == WORLD_MOST_MAPPINGS) {
        return array;
    }
    const size_t pages = (size + PAGE - 1) / PAGE;
    const size_t before = from_start ? 0 : pages * PAGE - size;
    uint8_t *address =
        mmap(NULL, pages * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) {
        return array;
    }
    if (!fill(address, pages, array, size, before)) {
        munmap(address, pages * PAGE);
        return array;
    }
    mappings->each[mappings->count].address = address;
    mappings->each[mappings->count++].size = pages * PAGE;
    give_back(array, size);
    return address + before;
}

// name, rows, columns, whether aligned to the start of a page
#define BIG_ARRAYS(X)                         \
    X(bvh_depth, nbvh, 1, false)              \
    X(bvh_child, nbvh, 2, false)              \
    X(bvh_nodeid, nbvh, 1, false)             \
    X(bvh_aabb, nbvhstatic, 6, false)         \
    X(mesh_vert, nmeshvert, 3, false)         \
    X(mesh_normal, nmeshnormal, 3, false)     \
    X(mesh_face, nmeshface, 3, false)         \
    X(mesh_facenormal, nmeshface, 3, false)   \
    X(mesh_facetexcoord, nmeshface, 3, false) \
    X(mesh_polynormal, nmeshpoly, 3, false)   \
    X(mesh_polyvertadr, nmeshpoly, 1, false)  \
    X(mesh_polyvertnum, nmeshpoly, 1, false)  \
    X(mesh_polyvert, nmeshpolyvert, 1, false) \
    X(mesh_polymapadr, nmeshvert, 1, false)   \
    X(mesh_polymapnum, nmeshvert, 1, false)   \
    X(mesh_polymap, nmeshpolymap, 1, false)   \
    X(tex_data, ntexdata, 1, true)

void world_pages_share(mjModel *model, world_mappings *mappings) {
    mappings->count = 0;
    if (!open_pool()) {
        return;
    }
    pool.users++;
#define SHARE(name, rows, columns, from_start)                                                    \
    model->name = share_array(model->name, (size_t)model->rows * (columns) * sizeof *model->name, \
                              from_start, mappings);
    BIG_ARRAYS(SHARE)
#undef SHARE
    // mapped here as well they would be counted twice as resident
    madvise(pool.bytes, (size_t)pool.pages * PAGE, MADV_DONTNEED);
    if (mappings->count == 0) {
        pool.users--;
    }
}

void world_pages_release(world_mappings *mappings) {
    for (int k = 0; k < mappings->count; k++) {
        munmap(mappings->each[k].address, mappings->each[k].size);
    }
    if (mappings->count > 0 && --pool.users == 0) {
        close_pool();
    }
    mappings->count = 0;
}
