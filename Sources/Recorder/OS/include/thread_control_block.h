// What glibc keeps of a thread in its control block (struct pthread): the bounds of the thread's stack, and its vector of
// thread-local blocks. All that the recorder knows of that structure stands here and in thread_control_block.c;
// another C library has its own.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch.h"
#include "mapping.h"

enum { GP_CONTROL_BLOCK = 2304 };  // its bytes

// The calling thread's.
static inline uintptr_t gp_control_block(void) {
    return GP_CONTROL_BLOCK_IS_AT_POINTER ? gp_thread_pointer() : (uintptr_t)pthread_self();
}

typedef struct {
    uintptr_t low, size;  // the guard included
    uintptr_t guard;  // bytes, 0: none, or a stack that the program made
} gp_stack_bounds;

// The bounds of the thread's stack: nothing else separates a stack that the program made itself, or one without a guard page,
// from what lies beside it in the same mapping. The whole control block must be readable. False: no bounds are found.
bool gp_control_block_stack(uintptr_t control_block, gp_stack_bounds *bounds);

// Narrows the mapping in which the control block lies to the stack. Leaves it as it is where no bounds are found.
void gp_narrow_to_stack(gp_mapping *mapping, uintptr_t control_block);

// The calling thread's block of thread-local variables of a module, as the loader numbers them; 0: it has none yet.
// Async-signal-safe.
uintptr_t gp_thread_local_block(uintptr_t module);
