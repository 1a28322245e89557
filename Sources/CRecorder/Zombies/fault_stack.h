// The stack of the code that a fault interrupted.
#pragma once

#include <stdint.h>
#include <ucontext.h>

struct gp_thread;

// An interrupted address is looked up as the return address one byte behind it. `touched`: the address that faulted; after
// a jump to it the caller's is on the stack.
uint32_t gp_fault_stack(struct gp_thread *thread, const ucontext_t *context, uintptr_t touched);
