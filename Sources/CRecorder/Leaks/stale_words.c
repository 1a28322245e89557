#include "stale_words.h"

#include "dispatch_cache.h"
#include "ended_stacks.h"
#include "number_set.h"
#include "parked_threads.h"
#include "runtime_tables.h"
#include "system_frames.h"

static void find_system_frames(gp_roots *roots) {
    static gp_system_frames frames;
    gp_system_frames_find(roots->caller, &frames);
    roots->system_frames = &frames;
}

static void find_ended_stacks(gp_roots *roots) {
    static gp_ended_stacks ended;
    if (!gp_ended_stacks_begin(&ended))
        return;
    gp_roots_each_lasting(roots, gp_ended_stacks_note, &ended);
    roots->ended = &ended;
}

static void find_parked_threads(gp_roots *roots) {
    gp_parked_threads_note(roots->threads);
}

static void find_runtime_tables(gp_roots *roots) {
    gp_roots_each_lasting(roots, gp_runtime_tables_note, (void *)roots->index);
}

// In the order in which they need each other: the stacks of ended threads are no roots of the runtime's tables.
static void (*const filters[])(gp_roots *roots) = {
    find_system_frames,
    find_ended_stacks,
    find_parked_threads,
    find_runtime_tables,
};

void gp_stale_words_find(gp_roots *roots) {
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        filters[i](roots);
}

void gp_stale_blocks_each(const gp_roots *roots, void (*visit)(uint32_t block, void *context), void *context) {
    gp_dispatch_cache_each(roots, visit, context);
}

static void add(uint32_t block, void *marked) {
    gp_set_add(marked, block);
}

void gp_stale_blocks_mark(const gp_roots *roots, uint64_t *marked) {
    gp_stale_blocks_each(roots, add, marked);
}
