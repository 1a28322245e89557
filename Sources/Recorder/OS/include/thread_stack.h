// The stack that a thread was started with, whichever one it runs on.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uintptr_t low, high;  // low is 0 for the main thread's, which grows
} gp_thread_stack;

// Set in a child made by fork where the calling thread is not the one that the kernel started the program with.
extern bool gp_thread_stack_has_no_main;

// An address near the outer end of the calling thread's stack. `id`: its kernel thread id.
uintptr_t gp_thread_stack_top(uint32_t id);

// The bounds of the calling thread's stack, also on a signal stack or in a coroutine. False: /proc cannot be read.
// Costs what gp_mapping_containing does; async-signal-safe, but it waits while the process's mappings change.
bool gp_thread_stack_find(uint32_t id, gp_thread_stack *stack);

// Whether the calling thread's fault at `address` says that its stack had no room left. `sp`: as the fault met it. Costs as
// much; async-signal-safe.
bool gp_thread_stack_overflows(uint32_t id, uintptr_t address, uintptr_t sp);
