// Texts that are kept once each, in a lock-free table of fixed size that needs neither malloc nor a lock.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t number;  // 1, 2, 3 …, in the order in which they came
    uint32_t kind;
    size_t length;
    char text[];  // with a NUL behind it
} gp_interned;

typedef struct {
    _Atomic(gp_interned *) *places;
    uint32_t place_count;
    uint32_t most;  // how many texts are kept
    _Atomic uint32_t count;
} gp_intern_table;

// The text of that kind. `is_new`: whether this call made it known. NULL: `most` are kept, or there is no memory.
const gp_interned *gp_intern(gp_intern_table *table, uint32_t kind, const void *text, size_t length, bool *is_new);
