#include "arch.h"
#include "rule_cache.h"
#include "stack.h"
#include "stack_reads.h"
#include "step.h"
#include "thread.h"

size_t gp_stack_unwind(gp_registers start, uintptr_t *pcs, uintptr_t *cfas, size_t capacity) {
    gp_thread *thread = gp_thread_current();
    gp_stack_reads reads = gp_stack_reads_at(thread, start.sp);
    gp_frame_state state = {start.pc, start.sp, start.fp, 0, false, 0, start.link};
    size_t count = 0;
    while (count < capacity) {
        gp_rule rule = gp_rule_at(NULL, state.pc, state.exact);
        if (!rule)
            break;
        if (pcs)
            pcs[count] = state.pc;
        gp_step_result result = gp_step(&state, rule, &reads);
        if (cfas)
            cfas[count] = state.sp;
        count++;
        if (result == GP_STEP_END || result == GP_STEP_LOST)
            break;
    }
    return count;
}
