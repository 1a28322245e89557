// One step outwards, from a frame to its caller.
#pragma once

#include "arch.h"
#include "rule.h"
#include "stack_words.h"

#include <stddef.h>

// Where a frame goes on when its callee returns. The memo keeps one for each frame.
typedef struct {
    uintptr_t pc, sp, fp;
    uintptr_t fp_slot;  // where fp was read, 0: it is the callee's own
    bool exact;  // pc was interrupted, it is not a return address
    // Of a processor that does not put the return address at GP_RETURN_AT_CFA:
    uintptr_t pc_slot;  // where pc was read
    uintptr_t link;  // the link register, 0: unknown
} gp_frame_state;

static inline void gp_frame_state_set(gp_frame_state *state, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                                      uintptr_t fp_slot, bool exact, uintptr_t pc_slot, uintptr_t link) {
    state->pc = pc;
    state->sp = sp;
    state->fp = fp;
    state->fp_slot = fp_slot;
    state->exact = exact;
    if (GP_RETURN_AT_CFA != 0)
        return;
    state->pc_slot = pc_slot;
    state->link = link;
}

static inline uintptr_t gp_state_pc_slot(const gp_frame_state *state) {
    return GP_RETURN_AT_CFA != 0 ? state->sp + GP_RETURN_AT_CFA : state->pc_slot;
}

typedef enum {
    GP_STEP_OUT,  // the state is now the caller's
    GP_STEP_OUT_MOVED,  // the same, but something else than the return address and fp on the stack decided it
    GP_STEP_END,  // the frame has no caller
    GP_STEP_LOST,  // what stands on the stack is no plausible frame
} gp_step_result;

// What `rule` and the words of the stack say about the caller of `state`. LOST and END leave the state as it was; the
// caller's pc is not looked at here.
static inline gp_step_result gp_step(gp_frame_state *state, gp_rule rule, gp_stack_reads *reads) {
    const uintptr_t sp = state->sp, fp = state->fp;
    uintptr_t cfa;
    gp_step_result result = GP_STEP_OUT;
    switch (gp_rule_cfa(rule)) {
    case GP_CFA_SP:
        cfa = sp + (uintptr_t)gp_rule_offset(rule);
        break;
    case GP_CFA_FP:
        cfa = fp + (uintptr_t)gp_rule_offset(rule);
        break;
    case GP_CFA_AT_SP:
    case GP_CFA_AT_FP:
        if (!gp_stack_read(reads, (gp_rule_cfa(rule) == GP_CFA_AT_SP ? sp : fp) + (uintptr_t)gp_rule_offset(rule),
                           &cfa))
            return GP_STEP_LOST;
        cfa += (uintptr_t)gp_rule_addend(rule);
        result = GP_STEP_OUT_MOVED;
        break;
    case GP_CFA_SIGNAL: {
        const uintptr_t fp_slot = sp + GP_CONTEXT_FP_AT;
        uintptr_t next_pc, next_sp, next_fp;
        if (!gp_stack_read(reads, sp + GP_CONTEXT_PC_AT, &next_pc) ||
            !gp_stack_read(reads, sp + GP_CONTEXT_SP_AT, &next_sp) || !gp_stack_read(reads, fp_slot, &next_fp))
            return GP_STEP_LOST;
        uintptr_t link = 0;
        if (GP_CONTEXT_LINK_BEHIND_FP != 0 && !gp_stack_read(reads, fp_slot + GP_CONTEXT_LINK_BEHIND_FP, &link))
            return GP_STEP_LOST;
        gp_frame_state_set(state, next_pc, next_sp, next_fp, fp_slot, true, sp + GP_CONTEXT_PC_AT, link);
        if (reads->growth)
            reads->growth->move(reads, next_sp);
        return GP_STEP_OUT_MOVED;
    }
    case GP_CFA_END:
        return GP_STEP_END;
    case GP_CFA_UNKNOWN:
    default:
        cfa = fp + 16;
        break;
    }

    // The caller's frame lies outwards of this one, so a chain of frames can not run in a circle.
    uintptr_t pc, pc_slot = 0;
    if (gp_rule_return_in_link(rule)) {
        pc = state->link;
        if (cfa < sp || !pc)
            return GP_STEP_LOST;
        result = GP_STEP_OUT_MOVED;
    } else {
        pc_slot = gp_rule_cfa(rule) == GP_CFA_UNKNOWN ? fp + 8 : cfa + (uintptr_t)gp_rule_return_offset(rule);
        if (cfa <= sp || !gp_stack_read(reads, pc_slot, &pc))
            return GP_STEP_LOST;
        if (!gp_rule_return_lies_in(pc_slot, sp, cfa))
            result = GP_STEP_OUT_MOVED;
    }
    uintptr_t slot = 0, next_fp = fp;
    if (gp_rule_cfa(rule) == GP_CFA_UNKNOWN)
        slot = fp;
    else if (gp_rule_fp(rule) == GP_FP_AT_CFA)
        slot = cfa + (uintptr_t)gp_rule_fp_offset(rule);
    else if (gp_rule_fp(rule) == GP_FP_AT_FP)
        slot = fp + (uintptr_t)gp_rule_fp_offset(rule);
    // What was saved below the stack pointer was restored before it got there: call frame information does not say so of a pop.
    if (slot && slot < reads->low)
        slot = 0;
    if (slot && !gp_stack_read(reads, slot, &next_fp))
        return GP_STEP_LOST;
    gp_frame_state_set(state, gp_code_address(pc), cfa, next_fp, slot, false, pc_slot, 0);
    return result;
}
