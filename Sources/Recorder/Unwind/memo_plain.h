// The walk to the frames of a memo over plain frames on the thread's own stack, with its state in registers: nearly every one.
#pragma once

#include "memo.h"
#include "memo_check.h"
#include "rule_cache.h"
#include "slow_path.h"
#include "thread.h"

// gp_stack_rule.kind, beside GP_READS_FP and GP_PASSES_FP.
enum {
    GP_BEGINS_WITH_PAIR = 1u << 3,  // its CFA is fp + 16, where its caller's fp and its return address stand
    GP_LEAVES_FP = 1u << 4,  // its CFA is a number of words outwards of sp, with the return address inwards of it
    GP_PAIR_KIND = GP_BEGINS_WITH_PAIR | GP_READS_FP,
    GP_SP_KIND = GP_LEAVES_FP | GP_PASSES_FP,
};

// Learns the rule of a return address; false: it is not a plain one.
GP_SLOW_PATH static bool learn_plain_rule(gp_stack_rule *place, struct gp_thread *thread, uintptr_t pc) {
    const gp_rule rule = gp_rule_at(thread, pc, false);
    const gp_cfa_kind kind = gp_rule_cfa(rule);
    const bool known = kind != GP_CFA_UNKNOWN;
    const int64_t saved = !known ? -16 : gp_rule_fp(rule) == GP_FP_AT_CFA ? gp_rule_fp_offset(rule) : 0;
    const int64_t back = known ? gp_rule_return_offset(rule) : -8, cfa = known ? gp_rule_offset(rule) : 16;
    const uint8_t traits = gp_rule_traits(rule);
    if (!rule || (kind != GP_CFA_SP && kind != GP_CFA_FP && known) || gp_rule_fp(rule) == GP_FP_AT_FP ||
        (gp_rule_fp(rule) == GP_FP_AT_CFA && saved == 0) || gp_rule_return_in_link(rule) || saved != (int16_t)saved ||
        back / 8 != (int8_t)(back / 8))
        return false;
    const bool is_pair = traits == GP_READS_FP && cfa == 16 && saved == -16 && back == -8;
    const bool leaves_fp = traits == GP_PASSES_FP && cfa >= 8 && saved == 0 && back == -8;
    *place = (gp_stack_rule){
        .pc = pc,
        .cfa = (int32_t)cfa,
        .saved_fp = (int16_t)saved,
        .kind = is_pair     ? GP_PAIR_KIND
                : leaves_fp ? GP_SP_KIND
                            : traits,
        .back = (int8_t)(back / 8),
    };
    return true;
}

static inline bool stands(const gp_stack_frame *frame) {
    const uintptr_t *pair = (const uintptr_t *)gp_pair_at(frame);
    return !((gp_code_address(pair[1]) ^ frame->at.pc) | ((pair[0] ^ frame->at.fp) & frame->checked.fp)) &&
           (GP_LIKELY(!(frame->traits & GP_APART)) || !gp_is_apart(frame) ||
            *(const uintptr_t *)frame->fp_slot == frame->at.fp);
}

// The outermost of the memo's frames that does not stand as it did, `met` if all outwards of that do. It is one of the innermost,
// as a rule.
static inline gp_stack_frame *first_moved(gp_stack_memo *memo, gp_stack_frame *met) {
    enum { UNSURE = 4 };
    gp_stack_frame *frame = memo->frames;
    if (met - UNSURE > frame && GP_LIKELY(gp_frames_stand(frame, met - UNSURE)))
        frame = met - UNSURE;
    while (frame < met && stands(frame))
        frame++;
    return frame;
}

// A walk to the frames of the last memo of `stacks`, from the innermost registers of a stack.
typedef struct {
    gp_stack_frame *met;  // the innermost of the memo that is kept; NULL: a frame is no plain one, nothing was changed
    uintptr_t fp_slot, pc_slot;  // where its words were read
    gp_stack_frame *end;  // of the fresh frames
} gp_plain_walk;

static inline gp_plain_walk gp_memo_walk_plainly(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp,
                                                 uintptr_t fp) {
    const gp_plain_walk failed = {NULL, 0, 0, NULL};
    gp_stack_memo *memo = stacks->last;
    const uintptr_t low = sp, limit = memo->frames[0].cfa;  // outwards of that nothing is met
    if (!memo->pc || sp < gp_own_stack_low(thread) || sp > limit || sp & 7)
        return failed;
    gp_stack_frame *met = &memo->frames[memo->count - 1], *frame = stacks->fresh;
    while (met->cfa < sp)
        met--;
    met = first_moved(memo, met);
    uintptr_t slot = 0, pc_slot = 0;  // where fp and pc were read
    while (met->cfa != sp || met->at.pc != pc) {
        gp_stack_rule *rule = &stacks->rules[(uint32_t)pc * 0x9e3779b9u >> (32 - GP_STACK_RULE_BITS)];
        if ((GP_UNLIKELY(rule->pc != pc) && !learn_plain_rule(rule, thread, pc)) ||
            GP_UNLIKELY(frame == stacks->fresh + GP_STACK_DEPTH))
            return failed;
        frame->at.pc = pc;
        frame->at.fp = fp;
        frame->cfa = sp;
        frame->fp_slot = slot;
        if (GP_RETURN_AT_CFA == 0)
            frame->pc_slot = pc_slot;
        // What the next frame is follows from numbers that do not wait for the rule, where that is what it was expected to be.
        if (rule->kind == GP_PAIR_KIND) {
            frame->traits = GP_READS_FP | GP_FP_MATTERS;
            if (GP_UNLIKELY(fp < sp || fp > limit - 16 || fp & 7))
                return failed;
            slot = fp;
            sp = fp + 16;
            pc_slot = fp + 8;
            fp = *(const uintptr_t *)slot;
        } else if (rule->kind == GP_SP_KIND) {
            frame->traits = GP_PASSES_FP;
            sp += (uintptr_t)(intptr_t)rule->cfa;
            if (GP_UNLIKELY(sp > limit))
                return failed;
            slot = 0;
            pc_slot = sp - 8;
        } else {
            const uint32_t traits = rule->kind & (GP_READS_FP | GP_PASSES_FP);
            frame->traits = traits & GP_READS_FP ? traits | GP_FP_MATTERS : traits;
            const uintptr_t cfa = (traits & GP_READS_FP ? fp : sp) + (uintptr_t)(intptr_t)rule->cfa;
            pc_slot = cfa + (uintptr_t)(GP_RETURN_AT_CFA != 0 ? GP_RETURN_AT_CFA : rule->back * 8);
            slot = rule->saved_fp ? cfa + (uintptr_t)(intptr_t)rule->saved_fp : 0;
            if (cfa <= sp || cfa > limit || cfa & 7 || !gp_rule_return_lies_in(pc_slot, sp, cfa) ||
                (slot && (slot < low || slot >= limit)))
                return failed;
            if (slot)
                fp = *(const uintptr_t *)slot;
            sp = cfa;
        }
        frame++;
        pc = gp_code_address(*(const uintptr_t *)pc_slot);
        while (met->cfa < sp)
            met--;
    }
    if ((met->at.fp != fp && met->traits & GP_FP_MATTERS) || met->traits & GP_EXACT ||
        !gp_memo_fits(memo->base, (uint32_t)(met + 1 - memo->frames + (frame - stacks->fresh))))
        return failed;
    return (gp_plain_walk){met, slot, pc_slot, frame};
}
