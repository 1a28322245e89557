#include "alloc_hooks.h"

#include "block_events.h"
#include "block_sampling.h"
#include "images.h"
#include "memory_probes.h"
#include "recording_state.h"
#include "safe_read.h"
#include "spool.h"
#include "stack_frames.h"

// NULL: the recorder's own blocks are not sampled.
static gp_thread *enter(void) {
    return gp_recording_is_on() ? gp_thread_enter() : NULL;
}

static uint32_t type_of(gp_thread *thread, const gp_block *block) {
    return gp_event_type(thread, block->address, block->size, block->flags);
}

// What a thread freed before it allocated another block is temporary.
static void forget_last(gp_thread *thread) {
    if (!gp_sampling_is_last())
        thread->last_block = 0;
}

// Samples lie far apart: each has its time.
static void write_free(gp_thread *thread, const gp_block *block, uint32_t type) {
    thread->events_unlooked = 0;
    gp_figures_count_freed(block->stack, type, block->size);
    gp_event_free(thread, block->address, block->size, block->stack, type);
    if (GP_UNLIKELY(gp_memory_free_is_watched()))
        gp_memory_free_probe(block->address);
}

static void write_alloc(gp_thread *thread, const gp_block *block, uint8_t how) {
    gp_block stale;
    // It was freed where the table could not be asked: by a signal handler inside the recorder.
    if (gp_sampled_take(block->address, &stale)) {
        thread->last_block = 0;
        write_free(thread, &stale, 0);
    }
    if (!gp_sampled_put(block)) {
        gp_spool_drop(1);
        return;
    }
    gp_figures_count_made(block->size);
    thread->events_unlooked = 0;
    gp_event_time(thread);
    gp_event_alloc(thread, block->address, block->size, how, block->stack);
    thread->last_block = block->address;
    if (GP_UNLIKELY(gp_memory_alloc_is_watched()))
        gp_memory_alloc_probe(block->address, block->size, gp_sampling_weight(block->size));
}

void *gp_on_sampled_alloc(void *block, size_t size, uint8_t how, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_thread *thread = block ? enter() : NULL;
    if (!thread)
        return block;
    const gp_block sampled = {.address = (uintptr_t)block,
                              .size = size,
                              .stack = gp_stack_id_inline(thread, gp_thread_stacks(thread), pc, sp, fp),
                              .flags = gp_is_loader_code(pc) ? GP_BLOCK_LOADER : 0};
    write_alloc(thread, &sampled, how);
    gp_thread_leave(thread);
    return block;
}

void gp_on_sampled_free(void *block) {
    gp_thread *thread = enter();
    gp_block sampled;
    if (!thread)
        return;
    if (gp_sampled_take((uintptr_t)block, &sampled)) {
        forget_last(thread);
        write_free(thread, &sampled, type_of(thread, &sampled));
    }
    gp_thread_leave(thread);
}

gp_moving_sample gp_on_sampled_realloc_begin(void *block) {
    gp_moving_sample moving = {.known = false};
    gp_thread *thread = block ? enter() : NULL;
    if (!thread)
        return moving;
    moving.known = gp_sampled_take((uintptr_t)block, &moving.block);
    if (moving.known) {
        forget_last(thread);
        moving.type = type_of(thread, &moving.block);
    }
    gp_thread_leave(thread);
    return moving;
}

void gp_on_sampled_realloc_end(const gp_moving_sample *moving, bool stays) {
    gp_thread *thread = moving->known ? enter() : NULL;
    if (!thread)
        return;
    if (!stays)
        write_free(thread, &moving->block, moving->type);
    else if (!gp_sampled_put(&moving->block))
        gp_spool_drop(1);
    gp_thread_leave(thread);
}

typedef struct {
    gp_thread *thread;
    bool at_crash;
} live_writing;

uint32_t gp_sampled_type(gp_thread *thread, const gp_block *block) {
    uintptr_t word = 0;
    if (block->flags & GP_BLOCK_LOADER || block->size < sizeof word ||
        !gp_safe_read(block->address, &word, sizeof word))
        return 0;
    return gp_type_id(thread, word, block->size);
}

static bool write_live(const gp_block *block, void *context) {
    const live_writing *writing = context;
    // Where all blocks are known, those that are not sampled have no stack.
    if (gp_sampling_knows_all && !block->stack)
        return true;
    const uint32_t type = gp_sampled_type(writing->thread, block);
    if (writing->at_crash) {
        gp_heap_census row = {
            .header.kind = GP_LIVE_TYPE, .type = type, .stack = block->stack, .count = 1, .bytes = block->size};
        gp_write_record(writing->thread, &row, sizeof row, NULL, 0);
        return true;
    }
    gp_sampled_live record = {.header.kind = GP_SAMPLED_LIVE, .type = type, .stack = block->stack, .size = block->size};
    gp_write_record(writing->thread, &record, sizeof record, NULL, 0);
    return true;
}

void gp_sampled_write_live(gp_thread *thread, bool at_crash) {
    live_writing writing = {thread, at_crash};
    if (gp_sampling_mean && gp_sampling_knows_all)
        gp_live_each(write_live, &writing);
    else if (gp_sampling_mean && !gp_sampled_each(write_live, &writing))
        gp_write_note(thread, "The types of the blocks that live at the end are not known: a signal handler ended the "
                              "program inside the recorder.");
}

static void start(gp_thread *thread, const char *options) {
    if (options)
        gp_sampling_start(options, gp_recording.instruments & (GP_INSTRUMENT_LEAKS | GP_INSTRUMENT_HEAP));
    if (!gp_sampling_mean)
        return;
    gp_stack_frames_keep_all();
    gp_block_sampling record = {.header = {.kind = GP_BLOCK_SAMPLING, .flags = gp_sampling_knows_all},
                                .mean = gp_sampling_mean};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    if (gp_sampling_knows_all)
        gp_write_note(thread,
                      "Blocks are sampled: leaks are searched for among all of them, but only for the sampled ones is "
                      "it known where they were allocated.");
}

static bool knows_blocks(void) {
    return !gp_sampling_mean || gp_sampling_knows_all;
}

static void end(gp_thread *thread, bool may_look) {
    (void)may_look;
    gp_sampled_write_live(thread, false);
}

// Its option: GAMEPROF_SAMPLE, of gp_sampling_start.
const gp_instrument gp_sampled_blocks_instrument = {
    .recorded = GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS,
    .variable = "GAMEPROF_SAMPLE",
    .needs = GP_NEEDS_BLOCKS,
    .knows_blocks = knows_blocks,
    .start = start,
    .end = end,
};
