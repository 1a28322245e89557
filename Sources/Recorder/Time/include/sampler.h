// The sampling profiler: a signal to each thread after every period of its CPU time, whose handler writes the stack.
// The handler has a writer and a stack memo of its own for each thread, so that it may interrupt the recorder anywhere;
// it allocates nothing, takes no lock and makes no system call that can wait. But one: at the first sample of a thread
// that the recorder has not seen before its stack is looked up, for which the kernel waits while mappings change.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "slow_path.h"

// True while threads are sampled.
bool gp_sampler_is_on(void);

// The signal that asks for a sample; 0: there is none. No thread may block it, and nobody else may handle it.
int gp_sampler_signal(void);

// In a child made by fork that is not recorded: what its thread was sampled by is the parent's.
void gp_sampler_begin_in_child(void);

// Samples of CPU time counted by stack while somebody waits for them, beside those that the trace gets.

extern __attribute__((visibility("hidden"))) bool gp_cpu_counts_is_open;

GP_SLOW_PATH void gp_cpu_counts_add(uint32_t stack, uint64_t samples);

// In the handler of a sample.
static inline void gp_cpu_counts_count(uint32_t stack, uint64_t samples) {
    if (GP_UNLIKELY(__atomic_load_n(&gp_cpu_counts_is_open, __ATOMIC_ACQUIRE)))  // its rows are there before
        gp_cpu_counts_add(stack, samples);
}
