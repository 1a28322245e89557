#include "read_clock.h"
#include "trace_writer.h"

static uint64_t start;

void gp_clock_start(void) {
    start = gp_read_clock(CLOCK_MONOTONIC);
}

uint64_t gp_now_ns(void) {
    return gp_read_clock(CLOCK_MONOTONIC) - start;
}

// The coarse clock lags by up to a tick: just after the start it shows a time before it.
uint64_t gp_coarse_ns(void) {
    uint64_t now = gp_read_clock(CLOCK_MONOTONIC_COARSE);
    return now > start ? now - start : 0;
}
