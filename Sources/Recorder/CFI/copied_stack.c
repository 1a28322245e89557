#include "copied_stack.h"

#include "step.h"

size_t gp_copied_stack_walk(const gp_copied_stack *stack, gp_rule_finder rule_at, void *context,
                            gp_copied_frame *frames, size_t capacity, bool *is_whole) {
    gp_frame_state state = {.pc = stack->pc, .sp = stack->sp, .fp = stack->fp, .exact = true, .link = stack->link};
    gp_stack_reads reads = {.low = stack->sp, .high = stack->sp + (stack->size & ~(size_t)7)};
    reads.shift = (uintptr_t)stack->words - stack->sp;
    // Neither words between others nor a stack pointer that the program has made up.
    if (stack->sp % 8 != 0 || reads.high < reads.low)
        reads.high = reads.low;
    *is_whole = false;
    size_t count = 0;
    while (count < capacity) {
        const gp_rule rule = rule_at(context, state.pc, state.exact);
        if (!rule)
            break;
        frames[count++] = (gp_copied_frame){state.pc, state.fp, state.sp, state.exact};
        const gp_step_result result = gp_step(&state, rule, &reads);
        *is_whole = result == GP_STEP_END;
        if (result == GP_STEP_END || result == GP_STEP_LOST)
            break;
    }
    return count;
}
