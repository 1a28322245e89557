// Unwinding the stack of another process by a copy of its words.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uintptr_t pc, sp, fp, link;  // of the innermost frame, which was interrupted; link: where there is such a register
    const void *words;  // from sp on
    size_t size;
} gp_copied_stack;

typedef struct {
    uintptr_t pc;
    uintptr_t fp, sp;  // in the frame
    bool exact;  // pc was interrupted, it is not a return address
} gp_copied_frame;

// The gp_rule at a return address, or at an instruction of its own when `exact`. 0: there is no code.
typedef uint64_t (*gp_rule_finder)(void *context, uintptr_t pc, bool exact);

// Stores up to `capacity` frames, innermost first, and returns how many. `is_whole`: the last one is the outermost there is.
size_t gp_copied_stack_walk(const gp_copied_stack *stack, gp_rule_finder rule_at, void *context,
                            gp_copied_frame *frames, size_t capacity, bool *is_whole);
