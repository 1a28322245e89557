#include "sampler.h"

#include <stdatomic.h>
#include <string.h>

#include "Figures.h"
#include "arena.h"
#include "key_table.h"
#include "recording_state.h"
#include "source.h"

enum { ROW_BITS = 15, ROWS = 1 << ROW_BITS };  // of stacks that have a count of their own

typedef struct {
    uint64_t stack;  // 0: free
    _Atomic uint64_t samples;
} row;

bool gp_cpu_counts_is_open;
static _Atomic bool is_taken;
static row *rows;
static _Atomic uint64_t others;  // samples for which there was no row

void gp_cpu_counts_add(uint32_t stack, uint64_t samples) {
    row *found = stack ? gp_key_claim((gp_key_table){rows, sizeof *rows, ROW_BITS}, stack) : NULL;
    atomic_fetch_add_explicit(found ? &found->samples : &others, samples, memory_order_relaxed);
}

uint64_t gp_figures_cpu_period(void) {
    return gp_recording_runs() && gp_sampler_is_on() ? gp_source_period() : 0;
}

bool gp_figures_cpu_begin(void) {
    if (!gp_figures_cpu_period() || atomic_exchange(&is_taken, true))
        return false;
    if (!rows)
        rows = gp_arena_allocate(ROWS * sizeof *rows);
    else
        memset((void *)rows, 0, ROWS * sizeof *rows);
    atomic_store(&others, 0);
    if (!rows) {
        atomic_store(&is_taken, false);
        return false;
    }
    __atomic_store_n(&gp_cpu_counts_is_open, true, __ATOMIC_RELEASE);
    return true;
}

void gp_figures_cpu_end(void (*visit)(uint32_t stack, uint64_t samples, void *context), void *context) {
    if (!atomic_load(&is_taken))
        return;
    __atomic_store_n(&gp_cpu_counts_is_open, false, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint64_t stack = __atomic_load_n(&rows[i].stack, __ATOMIC_ACQUIRE),
                       samples = atomic_load(&rows[i].samples);
        if (stack && samples)
            visit((uint32_t)stack, samples, context);
    }
    if (atomic_load(&others))
        visit(0, atomic_load(&others), context);
    atomic_store(&is_taken, false);
}
