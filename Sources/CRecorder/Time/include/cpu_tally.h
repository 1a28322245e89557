// Samples of CPU time counted by stack while somebody waits for them, beside those that the trace gets.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slow_path.h"

extern __attribute__((visibility("hidden"))) volatile bool gp_cpu_tally_is_open;

GP_SLOW_PATH void gp_cpu_tally_add(uint32_t stack, uint64_t samples);

// In the handler of a sample.
static inline void gp_cpu_tally_count(uint32_t stack, uint64_t samples) {
    if (GP_UNLIKELY(gp_cpu_tally_is_open))
        gp_cpu_tally_add(stack, samples);
}

// As gp_figures_cpu_period, gp_figures_cpu_begin and gp_figures_cpu_end. At most 32,768 stacks have a count of their own.
uint64_t gp_cpu_tally_period(void);
bool gp_cpu_tally_begin(void);
void gp_cpu_tally_end(void (*visit)(uint32_t stack, uint64_t samples, void *context), void *context);
