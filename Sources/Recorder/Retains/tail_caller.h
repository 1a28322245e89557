// The function that ended in a jump to a hooked function of the runtime, and so has left the stack.
#pragma once

#include "call_site.h"
#include "hooks.h"
#include "images.h"
#include "stack_tree.h"

// The function that was called where `pc` returns to, when it is another than `callee`, which was come to: it ended in a jump
// there, and so is missing from the stack. 0: none, or not known (an indirect call).
static inline uintptr_t gp_tail_caller(uintptr_t pc, uintptr_t callee) {
    const uintptr_t called = gp_called_before(pc);
    return called != callee && gp_address_is_executable(called) ? called : 0;
}

// `stack`, which begins at the return address `pc`, with that function put back.
static inline uint32_t gp_stack_with_tail_caller(struct gp_thread *thread, uint32_t stack, uint32_t hook,
                                                 uintptr_t pc) {
    const uintptr_t function = gp_tail_caller(pc, gp_hook_function(hook));
    return function ? gp_stack_node(thread, stack, function, GP_FRAME_EXACT) : stack;
}
