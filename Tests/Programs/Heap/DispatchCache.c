// A thread's storage as libdispatch leaves it, with a chain of continuations that wait for the next work.
#include "../../../Sources/Recorder/Leaks/stale_filters.h"
#include "FakeHeap.h"
#include "arena.h"
#include "images.h"

enum { LENGTH = 1, NEXT = 2, FUNCTION = 4, CONTEXT = 5 };

static uintptr_t storage[512];
static uint32_t visited;
static uintptr_t code = 0x1000;

bool gp_address_is_executable(uintptr_t address) {
    return address == code;
}
bool gp_thread_was_stopped(const gp_stopped_thread *thread) {
    return thread->id != 0;
}

void *gp_arena_allocate(size_t size) {
    return calloc(1, size);
}

static uintptr_t *continuation(gp_block_index *index, uintptr_t *next, uintptr_t length) {
    uintptr_t *words = fake_block(index, 72);
    words[LENGTH] = length;
    words[NEXT] = (uintptr_t)next;
    words[FUNCTION] = code;
    return words;
}

static void count(uint32_t block, void *context) {
    (void)block, (void)context;
    visited++;
}

static uint32_t found(const gp_block_index *index) {
    uintptr_t low = (uintptr_t)storage, end = low + sizeof storage;
    gp_map map = {low, end, GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_thread other = {.id = 77, .thread_pointer = GP_CONTROL_BLOCK_IS_AT_POINTER ? end - 64 : low + 64},
                      caller = {0};
    gp_stopped_threads threads = {.count = 1, .threads = &other};
    gp_roots roots = {&(gp_memory_map){1, &map}, index, &threads, &caller, 1};
    visited = 0;
    gp_dispatch_cache_each(&roots, count, NULL);
    return visited;
}

int main(void) {
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *last = continuation(&index, NULL, 1), *middle = continuation(&index, last, 2);
    uintptr_t *first = continuation(&index, middle, 3);
    storage[300] = 77;
    storage[303] = (uintptr_t)first;
    CHECK(found(&index) == 3);
    // Another thread's id, a chain whose lengths do not fit or that does not end, data for a function: somebody else's memory.
    storage[300] = 78;
    CHECK(found(&index) == 0);
    storage[300] = 77;
    middle[LENGTH] = 5;
    CHECK(found(&index) == 0);
    middle[LENGTH] = 2;
    last[NEXT] = (uintptr_t)first;
    CHECK(found(&index) == 0);
    last[NEXT] = 0;
    last[FUNCTION] = (uintptr_t)storage;
    CHECK(found(&index) == 0);
    last[FUNCTION] = 0;  // where a source's timer has used it
    CHECK(found(&index) == 3);
    storage[303] = (uintptr_t)&first[CONTEXT];
    CHECK(found(&index) == 0);
    puts("passed");
    return 0;
}
