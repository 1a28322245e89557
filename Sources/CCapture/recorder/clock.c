#include <time.h>

#include "trace_writer.h"

static uint64_t start;

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void gp_clock_start(void) {
    start = read_clock(CLOCK_MONOTONIC);
}

uint64_t gp_now_ns(void) {
    return read_clock(CLOCK_MONOTONIC) - start;
}

// The coarse clock lags by up to a tick: just after the start it shows a time before it.
uint64_t gp_coarse_ns(void) {
    uint64_t now = read_clock(CLOCK_MONOTONIC_COARSE);
    return now > start ? now - start : 0;
}
