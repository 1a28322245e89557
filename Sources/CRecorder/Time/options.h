// What is asked of the sampler.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t period_ns;  // of CPU time
    bool waits;  // look at waiting threads too
    enum { GP_SOURCE_ANY, GP_SOURCE_PERF, GP_SOURCE_SIGNAL, GP_SOURCE_TIMER } source;
} gp_sampler_options;

// Words divided by semicolons: rate=N (samples a second, 1 to 10000), wall, source=perf, source=signal (a perf
// event, but no trap), source=timer. What is not understood is passed over.
gp_sampler_options gp_sampler_options_parse(const char *text);
