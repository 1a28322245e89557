// Cells as two words. A cell that is stored and read as whole words is forwarded by the store buffer; one that is stored
// byte by byte and then compared as a word costs a stall of a dozen cycles.
#pragma once

#include <stdint.h>

#include "TraceFormat.h"

typedef struct {
    uint64_t head;  // kind, how, size
    uint64_t tail;  // stack, and address or type
} gp_cell;

static inline uint64_t gp_cell_head(uint8_t kind, uint8_t how, uint64_t size) {
    return (uint64_t)(uint32_t)size << 32 | (size >> 32 & 0xffff) << 16 | (uint64_t)how << 8 | kind;
}

static inline uint64_t gp_cell_tail(uint32_t stack, uint32_t last) {
    return (uint64_t)last << 32 | stack;
}

// The head of an event without its kind and how.
static inline uint64_t gp_cell_size(uint64_t head) {
    return head >> 16;
}

_Static_assert(sizeof(gp_cell) == GP_CELL_SIZE, "one cell");
