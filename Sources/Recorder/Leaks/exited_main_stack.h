// The stack of a main thread that has called pthread_exit, as dispatchMain() does. Its functions never return and never
// give up what they hold, yet what the thread runs afterwards overwrites their frames: a snapshot looks at a copy.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arch.h"

enum { GP_LEFT_FRAMES = 256 };

typedef struct {
    uint32_t thread;
    uint32_t id;  // of the stack, as allocations name theirs
    uintptr_t low;  // where the first of the words stood
    const uintptr_t *words;  // NULL: they could not be copied
    size_t size;  // in bytes
    uintptr_t registers[GP_PRESERVED_COUNT];  // those that a called function preserves
    size_t frames;
    uintptr_t pcs[GP_LEFT_FRAMES], cfas[GP_LEFT_FRAMES];  // as gp_stack_unwind stores them
} gp_exited_main_stack;

// NULL: the main thread has not left its stack.
const gp_exited_main_stack *gp_exited_main_stack_kept(void);

// Its id in the trace, 0: there is none.
uint32_t gp_exited_main_stack_id(void);
