// The walk to the frames of a memo over plain frames on the thread's own stack, with its state in registers: nearly every one.
#pragma once

#include "memo.h"
#include "memo_check.h"
#include "rule_cache.h"
#include "slow_path.h"
#include "thread.h"

// The thread's copy of the rule of a return address; NULL: it is not a plain one.
static inline gp_stack_rule *learn_plain_rule(gp_stack_rule *place, struct gp_thread *thread, uintptr_t pc) {
    const gp_rule rule = gp_rule_at(thread, pc, false);
    const gp_cfa_kind kind = gp_rule_cfa(rule);
    const bool known = kind != GP_CFA_UNKNOWN;
    const int64_t saved = !known ? -16 : gp_rule_fp(rule) == GP_FP_AT_CFA ? gp_rule_fp_offset(rule) : 0;
    const int64_t back = known ? gp_rule_return_offset(rule) : -8;
    if (!rule || (kind != GP_CFA_SP && kind != GP_CFA_FP && known) || gp_rule_fp(rule) == GP_FP_AT_FP ||
        (gp_rule_fp(rule) == GP_FP_AT_CFA && saved == 0) || gp_rule_return_in_link(rule) || saved != (int16_t)saved ||
        back / 8 != (int8_t)(back / 8))
        return NULL;
    *place = (gp_stack_rule){
        .pc = pc,
        .cfa = known ? (int32_t)gp_rule_offset(rule) : 16,
        .saved_fp = (int16_t)saved,
        .traits = gp_rule_traits(rule),
        .back = (int8_t)(back / 8),
    };
    return place;
}

static inline const gp_stack_rule *plain_rule(gp_stacks *stacks, struct gp_thread *thread, uintptr_t pc) {
    gp_stack_rule *place = &stacks->rules[(uint32_t)pc * 0x9e3779b9u >> (32 - GP_STACK_RULE_BITS)];
    return GP_LIKELY(place->pc == pc) ? place : learn_plain_rule(place, thread, pc);
}

static inline bool has_changed(const gp_stack_frame *frame) {
    return gp_code_address(*(const uintptr_t *)gp_frame_pc_slot(frame)) != frame->at.pc ||
           (frame->traits & GP_FP_MATTERS && frame->fp_slot && *(const uintptr_t *)frame->fp_slot != frame->at.fp);
}

// The innermost of frames[0 ..< count] that no longer stands as it did; NULL: all do. If one has changed it is, as a rule, one
// of the innermost.
static inline const gp_stack_frame *innermost_changed(const gp_stack_memo *memo, uint32_t count) {
    enum { LIKELY = 3 };
    const gp_stack_frame *frame = memo->frames + count, *const likely = frame - (count < LIKELY ? count : LIKELY);
    while (frame > likely)
        if (has_changed(--frame))
            return frame;
    if (gp_is_valid(memo, (uint32_t)(frame - memo->frames)))
        return NULL;
    while (frame-- > memo->frames)
        if (has_changed(frame))
            return frame;
    return NULL;
}

// A frame of the memo is reached from another callee, as a rule.
static inline void reach(gp_stack_frame *frame, uintptr_t slot, uintptr_t pc_slot) {
    frame->fp_slot = slot;
    if (GP_RETURN_AT_CFA == 0)
        frame->pc_slot = pc_slot;
    frame->traits &= ~(uint32_t)GP_MOVED;
}

// gp_memo_walk_there for the last memo of `stacks`. `walked`: how many of the fresh frames are new. 0: a frame is none of these,
// and nothing was changed.
static inline uint32_t gp_memo_walk_plainly(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp,
                                            uintptr_t fp, uint32_t *walked) {
    gp_stack_memo *memo = stacks->last;
    gp_stack_frame *const frames = memo->frames, *met = frames + memo->count - 1;  // what may be met next
    gp_stack_frame *frame = stacks->fresh, *const end = frame + GP_STACK_DEPTH;
    const uintptr_t low = sp - 8, high = thread->stack_high;
    uintptr_t slot = 0, pc_slot = 0;  // where fp and pc were read
    if (memo->count == 0 || sp < gp_own_stack_low(thread) || frames[0].cfa > high || frames[0].traits & GP_LOST)
        return 0;
    for (;;) {
        while (met->cfa < sp)
            if (met-- == frames)
                return 0;
        if (met->cfa != sp || met->at.pc != pc) {
            const gp_stack_rule *rule = frame < end ? plain_rule(stacks, thread, pc) : NULL;
            if (!rule)
                return 0;
            const uintptr_t cfa = (rule->traits & GP_READS_FP ? fp : sp) + (uintptr_t)(intptr_t)rule->cfa;
            const uintptr_t back = cfa + (uintptr_t)(GP_RETURN_AT_CFA != 0 ? GP_RETURN_AT_CFA : rule->back * 8);
            if (cfa <= sp || cfa > high || cfa & 7 || !gp_rule_return_lies_in(back, sp, cfa))
                return 0;
            frame->at = (gp_stack_pair){fp, pc};
            frame->cfa = sp;
            frame->fp_slot = slot;
            if (GP_RETURN_AT_CFA == 0)
                frame->pc_slot = pc_slot;
            frame->traits = rule->traits;
            frame++;
            slot = 0;
            if (rule->saved_fp) {
                slot = cfa + (uintptr_t)(intptr_t)rule->saved_fp;
                if (slot - low >= high - low)
                    return 0;
                fp = *(const uintptr_t *)slot;
            }
            pc_slot = back;
            pc = gp_code_address(*(const uintptr_t *)back);
            sp = cfa;
            continue;
        }
        const uint32_t outer = (uint32_t)(met - frames);
        if ((met->at.fp != fp && met->traits & GP_FP_MATTERS) || met->traits & GP_EXACT ||
            !gp_memo_can_stand(memo, outer))
            return 0;
        const gp_stack_frame *changed = innermost_changed(memo, outer);
        if (!changed)
            break;
        // Up to the one inwards of it the memo's frames are as they were; its fp is known only where it matters.
        if (met > changed + 1 && changed[1].traits & GP_FP_MATTERS) {
            if (changed[1].traits & GP_EXACT || met - changed > end - frame)
                return 0;
            gp_stack_frame *const reached = frame;
            for (const gp_stack_frame *known = met; known > changed + 1; known--)
                *frame++ = *known;
            reach(reached, slot, pc_slot);
            pc = changed[1].at.pc;
            sp = changed[1].cfa;
            fp = changed[1].at.fp;
            slot = changed[1].fp_slot;
            pc_slot = changed[1].pc_slot;
        }
        met = frames + (changed - frames);
    }
    const uint32_t kept = (uint32_t)(met - frames) + 1;
    *walked = (uint32_t)(frame - stacks->fresh);
    if (gp_memo_cut(memo->base + kept + *walked) != memo->base)
        return 0;
    reach(met, slot, pc_slot);
    return kept;
}
