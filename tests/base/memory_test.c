// Memory: alignment, overflow, a failing allocator, and growing arrays.

#include "base/memory.h"
#include "test.h"

// an allocator that counts, and fails from its n-th call on
typedef struct counting {
    int allocations;
    int releases;
    int fail_from;  // 0: never
    size_t last_bytes;
} counting;

static void *allocate_counted(void *context, size_t bytes, size_t alignment) {
    counting *c = context;
    c->last_bytes = bytes;
    if (c->fail_from > 0 && c->allocations + 1 >= c->fail_from) {
        return NULL;
    }
    c->allocations++;
    void *pointer = NULL;
    return posix_memalign(&pointer, alignment, bytes) == 0 ? pointer : NULL;
}

static void release_counted(void *context, void *pointer) {
    counting *c = context;
    c->releases++;
    free(pointer);
}

static counting count;

static int use_counting(void **state) {
    (void)state;
    count = (counting){0};
    tot_memory_set(&(tot_memory){allocate_counted, release_counted, &count});
    return 0;
}

static int use_default(void **state) {
    (void)state;
    tot_memory_set(NULL);
    return 0;
}

TEST_EACH(use_counting, use_default)

TEST(test_aligned_and_writable) {
    for (size_t bytes = 0; bytes < 300; bytes++) {
        unsigned char *pointer = base_alloc(bytes, 1, "bytes");
        assert_non_null(pointer);
        assert_int_equal((uintptr_t)pointer % 64, 0);
        memset(pointer, 0xAB, bytes);
        base_free(pointer);
    }
    assert_int_equal(count.allocations, 300);
    assert_int_equal(count.releases, 300);
}

TEST(test_zero_is_cleared) {
    for (int round = 0; round < 50; round++) {
        uint64_t *dirty = base_alloc(1000, sizeof *dirty, "dirty");
        memset(dirty, 0xFF, 1000 * sizeof *dirty);
        base_free(dirty);
        uint64_t *clean = base_alloc_zero(1000, sizeof *clean, "clean");
        for (int k = 0; k < 1000; k++) {
            assert_int_equal(clean[k], 0);
        }
        base_free(clean);
    }
}

TEST(test_overflow_is_refused) {
    const size_t pairs[][2] = {
        {SIZE_MAX, 2},         {SIZE_MAX / 2 + 1, 2}, {(size_t)1 << 32, (size_t)1 << 32},
        {SIZE_MAX, SIZE_MAX},  {SIZE_MAX, 1},         {(size_t)PTRDIFF_MAX + 1, 1},
        {PTRDIFF_MAX / 8, 16}, {3, SIZE_MAX / 2},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        assert_null(base_alloc(pairs[k][0], pairs[k][1], "the plan"));
        assert_non_null(strstr(tot_error(), "the plan"));
        assert_null(base_alloc_zero(pairs[k][0], pairs[k][1], "the plan"));
        void *buffer = NULL;
        size_t capacity = 0;
        assert_int_equal(base_reserve(&buffer, &capacity, pairs[k][0], pairs[k][1], "x"),
                         TOT_E_MEMORY);
        assert_int_equal(base_grow(&buffer, &capacity, 0, pairs[k][0], pairs[k][1], "x"),
                         TOT_E_MEMORY);
        assert_null(buffer);
        assert_int_equal(capacity, 0);
    }
    // the allocator was never called with a wrapped size
    assert_int_equal(count.allocations, 0);
    assert_int_equal(count.last_bytes, 0);
}

TEST(test_failure_is_reported) {
    count.fail_from = 1;
    assert_null(base_alloc(10, 8, "episode"));
    assert_non_null(strstr(tot_error(), "episode"));
    assert_non_null(strstr(tot_error(), "80"));
    assert_null(base_alloc_zero(10, 8, "episode"));
    assert_null(base_copy_text("text"));
    tot_pool *pool = (tot_pool *)&count;
    assert_int_equal(tot_pool_create(&pool, 2), TOT_E_MEMORY);
    assert_null(pool);
    // the pool's second allocation fails, too
    count.fail_from = 2;
    assert_int_equal(tot_pool_create(&pool, 2), TOT_E_MEMORY);
    assert_null(pool);
    assert_int_equal(count.allocations, count.releases);
}

TEST(test_reserve) {
    void *buffer = NULL;
    size_t capacity = 0;
    assert_int_equal(base_reserve(&buffer, &capacity, 100, 4, "x"), TOT_OK);
    assert_true(capacity >= 100);
    void *before = buffer;
    // smaller and equal requests change nothing
    assert_int_equal(base_reserve(&buffer, &capacity, 100, 4, "x"), TOT_OK);
    assert_int_equal(base_reserve(&buffer, &capacity, 0, 4, "x"), TOT_OK);
    assert_ptr_equal(buffer, before);
    assert_int_equal(count.allocations, 1);
    // a failure leaves buffer and capacity unchanged
    size_t held = capacity;
    memset(buffer, 7, held * 4);
    count.fail_from = 1;
    assert_int_equal(base_reserve(&buffer, &capacity, 1000, 4, "x"), TOT_E_MEMORY);
    assert_ptr_equal(buffer, before);
    assert_int_equal(capacity, held);
    assert_int_equal(((unsigned char *)buffer)[held * 4 - 1], 7);
    count.fail_from = 0;
    assert_int_equal(base_reserve(&buffer, &capacity, 1000, 4, "x"), TOT_OK);
    assert_true(capacity >= 1000);
    base_free(buffer);
    assert_int_equal(count.allocations, count.releases);
}

TEST(test_grow_keeps_contents) {
    void *buffer = NULL;
    size_t capacity = 0;
    for (size_t used = 0; used < 10000; used++) {
        assert_int_equal(base_grow(&buffer, &capacity, used, used + 1, sizeof(uint32_t), "list"),
                         TOT_OK);
        assert_true(capacity > used);
        ((uint32_t *)buffer)[used] = (uint32_t)(used * used);
    }
    for (size_t k = 0; k < 10000; k++) {
        assert_int_equal(((uint32_t *)buffer)[k], (uint32_t)(k * k));
    }
    // grows by at least half: 10,000 elements take some dozens of allocations
    assert_true(count.allocations < 60);
    // a failure keeps all elements
    size_t held = capacity;
    count.fail_from = 1;
    assert_int_equal(base_grow(&buffer, &capacity, 10000, held + 1, sizeof(uint32_t), "list"),
                     TOT_E_MEMORY);
    assert_int_equal(capacity, held);
    assert_int_equal(((uint32_t *)buffer)[9999], 9999u * 9999u);
    base_free(buffer);
    assert_int_equal(count.allocations, count.releases);
}

TEST(test_copy_text) {
    char text[] = "expert 1";
    char *copy = base_copy_text(text);
    text[0] = 'X';
    assert_string_equal(copy, "expert 1");
    base_free(copy);
    copy = base_copy_text("");
    assert_string_equal(copy, "");
    base_free(copy);
    base_free(NULL);
    assert_int_equal(count.allocations, count.releases);
}

TEST(test_default_allocator_returns) {
    tot_memory_set(NULL);
    void *pointer = base_alloc(5, 5, "x");
    assert_non_null(pointer);
    base_free(pointer);
    assert_int_equal(count.allocations, 0);
}

TEST_MAIN(NULL, NULL)
