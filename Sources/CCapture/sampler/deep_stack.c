#include "deep_stack.h"

#include "../unwind/memo_check.h"
#include "../unwind/rule_cache.h"
#include "../unwind/stack_tree.h"
#include "../unwind/step.h"
#include "TraceFormat.h"
#include "thread.h"

// A walk to the end of a deeper stack would take longer than a tenth of a sampling period.
enum { OUTERMOST = 64, WALKED_MOST = 16384 };

typedef struct {
    uintptr_t pc[OUTERMOST];
    bool exact[OUTERMOST];
    uint32_t count;  // of frames walked; the last OUTERMOST of them are kept
} outer_frames;

// The frames outwards of `from`. False: there are too many.
static bool walk_outwards(gp_thread *thread, const gp_stack_frame *from, outer_frames *outer) {
    gp_frame_state state = {from->pc, from->cfa, from->fp, from->fp_slot, from->traits & GP_EXACT};
    gp_stack_reads reads = gp_stack_reads_at(thread, from->cfa);
    outer->count = 0;
    for (gp_rule rule = gp_rule_at(thread, state.pc, state.exact); rule;
         rule = gp_rule_at(thread, state.pc, state.exact)) {
        gp_step_result result = gp_step(&state, rule, &reads);
        if (result == GP_STEP_END || result == GP_STEP_LOST)
            return true;
        if (outer->count == WALKED_MOST)
            return false;
        outer->pc[outer->count % OUTERMOST] = state.pc;
        outer->exact[outer->count % OUTERMOST] = state.exact;
        outer->count++;
    }
    // The step before led to no code.
    outer->count -= outer->count > 0;
    return true;
}

uint32_t gp_deep_stack_id(gp_thread *thread, const gp_stacks *stacks, uint32_t node) {
    const gp_stack_memo *memo = stacks->last;
    outer_frames outer;
    if (!node || memo->base == 0 || !walk_outwards(thread, &memo->frames[0], &outer) || outer.count == 0)
        return node;
    const uint32_t kept = outer.count < OUTERMOST ? outer.count : OUTERMOST;
    uint32_t whole = 0;
    for (uint32_t i = outer.count; i-- > outer.count - kept;)
        if (!(whole = gp_stack_node(thread, whole, outer.pc[i % OUTERMOST],
                                    outer.exact[i % OUTERMOST] ? GP_FRAME_EXACT : 0)))
            return node;
    for (uint32_t i = 0; i < memo->count; i++) {
        const bool cut = i == 0 && outer.count > kept;
        if (!(whole = gp_stack_node(thread, whole, memo->frames[i].pc,
                                    (uint8_t)((memo->frames[i].traits & GP_EXACT ? GP_FRAME_EXACT : 0) |
                                              (cut ? GP_FRAME_TRUNCATED : 0)))))
            return node;
    }
    return whole;
}
