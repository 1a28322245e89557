// The bounds of a thread's stack as the C library notes them. Nothing else tells a stack that the program made itself, or
// one without a guard page, from what lies beside it in the same mapping.
#ifndef GP_NOTED_STACK_H
#define GP_NOTED_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "mapping.h"

enum { GP_CONTROL_BLOCK = 2304 };  // bytes of glibc's struct pthread, which begins at the thread pointer

typedef struct {
    uintptr_t low, size;  // the guard included
    uintptr_t guard;  // bytes, 0: none, or a stack that the program made
} gp_noted_stack;

// The whole control block must be readable. False: no bounds are found.
bool gp_noted_stack_read(uintptr_t control_block, gp_noted_stack *noted);

// Narrows the mapping in which the control block lies to the stack. Leaves it as it is where no bounds are found.
void gp_narrow_to_noted_stack(gp_mapping *mapping, uintptr_t control_block);

#endif
