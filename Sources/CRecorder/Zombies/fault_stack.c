#include "fault_stack.h"

#include "arch.h"
#include "safe_read.h"
#include "stack.h"

uint32_t gp_fault_stack(struct gp_thread *thread, const ucontext_t *context, uintptr_t touched) {
    gp_registers start = gp_context_start(context);
    if (gp_context_pc(context) == touched) {
        uintptr_t caller;
        if (gp_safe_read(start.sp, &caller, sizeof caller)) {
            start.pc = caller;
            start.sp += sizeof caller;
        }
    }
    return gp_stack_id(thread, start);
}
