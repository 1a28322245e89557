// Which blocks are recorded when not all are: those on which a point of a Poisson process falls that runs over the bytes
// each thread asks for. With a mean distance of R bytes a block of S bytes is sampled with p = 1 − e^(−S/R), whatever
// else is allocated; it then stands for 1/p blocks and S/p bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slow_path.h"

typedef struct {
    int64_t left;  // bytes up to the next point; above 0 once the thread has begun
    int64_t at_sample;  // `left` right after the last sample
    uint64_t random;  // state of the generator; 0: the thread has not begun
} gp_sampling_thread;

extern __thread __attribute__((tls_model("initial-exec"), visibility("hidden"))) gp_sampling_thread gp_sampling_here;

// R in bytes; 0: every block is recorded.
extern __attribute__((visibility("hidden"))) uint64_t gp_sampling_mean;

// The live table holds the other blocks too, without a stack: what searches the whole heap needs them.
extern __attribute__((visibility("hidden"))) bool gp_sampling_knows_all;

#define GP_SAMPLING_MOST (1ull << 40)

// Before the first sample. `options`: of GAMEPROF_SAMPLE: bytes, optionally with K, M or G behind the number, and
// “;seed=N” for gaps that are the same in every run. NULL, and a mean of at most 1: every block is recorded.
void gp_sampling_start(const char *options, bool knows_all);

// Counts a block of that many bytes, which is allocated now. True: gp_sampling_passed says whether it is sampled.
static inline bool gp_sampling_passes(size_t size) {
    gp_sampling_here.left = (int64_t)((uint64_t)gp_sampling_here.left - size);
    return GP_UNLIKELY(gp_sampling_here.left <= 0);
}

// False for the first block of a thread whose first point lies behind it.
GP_SLOW_PATH bool gp_sampling_passed(size_t size);

// Both. One of 0 bytes is never sampled.
static inline bool gp_sampling_takes(size_t size) {
    return gp_sampling_passes(size) && gp_sampling_passed(size);
}

// Whether the thread has allocated nothing since its last sample.
static inline bool gp_sampling_is_last(void) {
    return gp_sampling_here.left == gp_sampling_here.at_sample;
}

// Whether the thread's last sample is one of the 1/n of all samples that chance chooses. Costs no point of the process, and
// is the same for each call until the next sample.
bool gp_sampling_chooses_one_in(uint32_t n);

// The chance of a block of `size` bytes to be sampled: p.
double gp_sampling_chance(size_t size);

// The bytes that a sampled block of `size` bytes stands for: S/p.
uint64_t gp_sampling_weight(size_t size);
