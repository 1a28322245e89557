// Words of a stack that is unwound: the stack itself, or a copy of a part of it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct gp_stack_reads gp_stack_reads;

// How more of a stack becomes readable than is at first.
typedef struct {
    // Makes what lies above `high` readable up to `address`. False: it does not.
    bool (*extend)(gp_stack_reads *reads, uintptr_t address);
    // Moves to another stack (behind a signal frame).
    void (*move)(gp_stack_reads *reads, uintptr_t sp);
} gp_stack_growth;

struct gp_stack_reads {
    uintptr_t low, high;  // words in low ≤ address < high may be read
    uintptr_t own_low, own_high;  // the thread's stack; 0, 0: not known
    uintptr_t shift;  // what leads from an address of the stack to where its word is read
    const gp_stack_growth *growth;  // NULL: there is no more
};

// The word at `address`; false when it is misaligned, below the stack pointer or not known to be readable.
static inline bool gp_stack_read(gp_stack_reads *reads, uintptr_t address, uintptr_t *word) {
    if (__builtin_expect((address & 7) != 0 || address < reads->low, 0))
        return false;
    if (__builtin_expect(address >= reads->high, 0) && !(reads->growth && reads->growth->extend(reads, address)))
        return false;
    *word = *(const uintptr_t *)(address + reads->shift);
    return true;
}
