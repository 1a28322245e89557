// A set of block numbers.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t gp_set_size(uint32_t count) {
    return ((size_t)count + 63) / 64 * 8;
}

static inline bool gp_set_has(const uint64_t *bits, uint32_t number) {
    return bits[number / 64] >> (number % 64) & 1;
}

// Adds a number. False: it was there.
static inline bool gp_set_add(uint64_t *bits, uint32_t number) {
    uint64_t bit = 1ull << (number % 64), before = bits[number / 64];
    bits[number / 64] = before | bit;
    return !(before & bit);
}
