#include "sampled_blocks.h"

#include <stdatomic.h>

#include "Figures.h"
#include "arena.h"
#include "block_sampling.h"
#include "key_table.h"
#include "live_table.h"
#include "lock.h"
#include "recording_state.h"
#include "system.h"
#include "thread.h"

enum { ROW_BITS = 16, ROWS = 1 << ROW_BITS };

typedef struct {
    uint64_t key;  // 0: free
    gp_sample_sum sum;
} row;

typedef struct {
    row *rows;
    gp_sample_sum others;  // for which there was no room
} sum_table;

// Samples are rare. Who holds it is busy, so that no signal handler in its thread asks for it meanwhile.
static gp_lock lock;
static sum_table freed;
static gp_sample_sum made;

static void add(gp_sample_sum *sum, size_t size) {
    const double chance = gp_sampling_chance(size), count_variance = (1 - chance) / (chance * chance);
    sum->samples++;
    sum->observed += size;
    sum->count += 1 / chance;
    sum->bytes += (double)size / chance;
    sum->count_variance += count_variance;
    sum->bytes_variance += (double)size * (double)size * count_variance;
}

static gp_sample_sum *sum_of(sum_table *table, uint32_t stack, uint32_t type) {
    const gp_key_table rows = {table->rows, sizeof(row), ROW_BITS};
    row *found = table->rows ? gp_key_claim(rows, ((uint64_t)type << 32 | stack) + 1) : NULL;
    return found ? &found->sum : &table->others;
}

void gp_figures_count_made(size_t size) {
    gp_lock_enter(&lock);
    add(&made, size);
    gp_lock_leave(&lock);
}

void gp_figures_count_freed(uint32_t stack, uint32_t type, size_t size) {
    if (size == 0)
        return;
    gp_lock_enter(&lock);
    if (!freed.rows)
        __atomic_store_n(&freed.rows, gp_arena_allocate(ROWS * sizeof *freed.rows), __ATOMIC_RELEASE);
    add(sum_of(&freed, stack, type), size);
    gp_lock_leave(&lock);
}

uint64_t gp_figures_mean(void) {
    return gp_recording_is_on() ? gp_sampling_mean : 0;
}

// NULL: this process does not sample, or the thread is inside the recorder.
static gp_thread *sampling_thread(void) {
    gp_thread *thread = gp_figures_mean() ? gp_thread_current() : NULL;
    return thread && !thread->busy ? thread : NULL;
}

typedef struct {
    sum_table *live;
    gp_thread *thread;
} collection;

static void add_live(const collection *into, const gp_block *block) {
    add(sum_of(into->live, block->stack, gp_sampled_type(into->thread, block)), block->size);
}

// Visits all blocks that are known: those that are not sampled have no stack.
static bool add_known(const gp_block *block, void *context) {
    if (block->stack && block->size)
        add_live(context, block);
    return gp_recording_is_on();
}

// Copied a bucket at a time: whoever samples meanwhile waits for the copy of a few blocks. The end of the recording waits
// for threads that are busy, and for a while only.
static void add_all(collection *into) {
    enum { BUCKETS_AT_ONCE = 256, BLOCKS_MOST = 256 };
    gp_block blocks[BLOCKS_MOST];
    into->thread->busy = true;
    if (gp_sampling_knows_all)
        gp_live_each(add_known, into);
    for (uint32_t bucket = 0; bucket < GP_SAMPLED_BUCKETS && !gp_sampling_knows_all; bucket++) {
        if (bucket % BUCKETS_AT_ONCE == 0) {
            gp_thread_leave(into->thread);
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
            into->thread->busy = true;
            if (!gp_recording_is_on())
                break;
        }
        const size_t count = gp_sampled_copy(bucket, blocks, BLOCKS_MOST);
        for (size_t i = 0; i < count; i++)
            add_live(into, &blocks[i]);
    }
    gp_thread_leave(into->thread);
}

static gp_sample_sum copy_of(const gp_sample_sum *sum, gp_thread *thread) {
    thread->busy = true;
    gp_lock_enter(&lock);
    const gp_sample_sum copy = *sum;
    gp_lock_leave(&lock);
    gp_thread_leave(thread);
    return copy;
}

gp_sample_sum gp_figures_made(void) {
    gp_thread *thread = sampling_thread();
    return thread ? copy_of(&made, thread) : (gp_sample_sum){0};
}

static void visit_all(const sum_table *table, bool is_live, gp_thread *thread, gp_figure_visitor visit, void *context) {
    const row *rows = __atomic_load_n(&table->rows, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; rows && i < ROWS; i++) {
        const uint64_t key = __atomic_load_n(&rows[i].key, __ATOMIC_ACQUIRE);
        if (!key)
            continue;
        const gp_figure_row seen = {(uint32_t)(key - 1), (uint32_t)((key - 1) >> 32), is_live,
                                    copy_of(&rows[i].sum, thread)};
        visit(&seen, context);
    }
    const gp_figure_row others = {0, 0, is_live, copy_of(&table->others, thread)};
    if (others.sum.samples)
        visit(&others, context);
}

bool gp_figures_collect(gp_figure_visitor visit, void *context) {
    static _Atomic bool collecting;
    gp_thread *thread = sampling_thread();
    if (!thread || atomic_exchange(&collecting, true))
        return false;
    sum_table live = {.rows = gp_system_pages(ROWS * sizeof(row))};
    if (live.rows) {
        collection into = {&live, thread};
        add_all(&into);
        visit_all(&live, true, thread, visit, context);
        visit_all(&freed, false, thread, visit, context);
        gp_system(munmap, live.rows, ROWS * sizeof(row));
    }
    atomic_store(&collecting, false);
    return live.rows != NULL;
}
