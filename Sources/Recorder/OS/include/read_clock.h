// Reading the kernel's clocks, in nanoseconds, and sleeping by them.
#pragma once

#include <stdint.h>
#include <time.h>

#include "system.h"

enum { GP_SECOND_NS = 1000000000, GP_MILLISECOND_NS = 1000000 };

static inline uint64_t gp_nanoseconds(struct timespec time) {
    return (uint64_t)time.tv_sec * GP_SECOND_NS + (uint64_t)time.tv_nsec;
}

static inline struct timespec gp_timespec(uint64_t ns) {
    return (struct timespec){(time_t)(ns / GP_SECOND_NS), (long)(ns % GP_SECOND_NS)};
}

// Without a system call: ~20 ns.
static inline uint64_t gp_read_clock(clockid_t clock) {
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return gp_nanoseconds(time);
}

// By a system call, where libc may not be entered. 0: there is no such clock.
static inline uint64_t gp_clock_of_kernel(clockid_t clock) {
    struct timespec time;
    return gp_system(clock_gettime, clock, &time) < 0 ? 0 : gp_nanoseconds(time);
}

static inline uint64_t gp_monotonic_of_kernel(void) {
    return gp_clock_of_kernel(CLOCK_MONOTONIC);
}

// By a system call; a signal ends it early.
static inline void gp_sleep(uint64_t ns) {
    const struct timespec time = gp_timespec(ns);
    gp_system(nanosleep, &time, NULL);
}
