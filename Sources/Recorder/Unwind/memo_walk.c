#include "memo.h"

#include "memo_check.h"
#include "rule_cache.h"

enum { WALK_LIMIT = 65536 };

// The outermost of frames[0 ..< count + 1] to which the words on the stack still lead: 0 when all stand as they did.
static uint32_t first_changed(const gp_stack_frame *frames, uint32_t count, gp_stack_reads *reads) {
    for (uint32_t i = count; i-- > 0;) {
        const gp_stack_frame *frame = &frames[i];
        uintptr_t word;
        if (frame->traits & GP_MOVED || !gp_stack_read(reads, gp_frame_pc_slot(frame), &word) ||
            gp_code_address(word) != frame->at.pc)
            return i + 1;
        if (frame->traits & GP_FP_MATTERS && frame->fp_slot &&
            (!gp_stack_read(reads, frame->fp_slot, &word) || word != frame->at.fp))
            return i + 1;
    }
    return 0;
}

static void take(gp_memo_walk *walk, const gp_stack_frame *frame) {
    if (walk->walked < GP_STACK_DEPTH) {
        walk->fresh[walk->walked] = *frame;
        walk->fresh[walk->walked].traits &= (uint8_t)~GP_LOST;
    }
    walk->walked++;
}

// The frame taken last has a caller that could not be read.
static void mark_lost(gp_memo_walk *walk) {
    if (walk->walked > 0 && walk->walked <= GP_STACK_DEPTH)
        walk->fresh[walk->walked - 1].traits |= GP_LOST;
}

// Where the rule of a return address stands, if it does.
static inline gp_stack_rule *rule_place(const gp_memo_walk *walk, uintptr_t pc) {
    return &walk->rules[pc * 0x9e3779b97f4a7c15u >> (64 - GP_STACK_RULE_BITS)];
}

// Takes the frame of the current state and steps out of it. False when it is the last.
static inline bool take_step(gp_memo_walk *walk) {
    const gp_rule rule = gp_rule_at(walk->thread, walk->state.pc, walk->state.exact);
    if (!rule) {
        mark_lost(walk);
        return false;
    }
    if (!walk->state.exact)
        *rule_place(walk, walk->state.pc) = (gp_stack_rule){walk->state.pc, rule};
    _Static_assert(GP_RULE_READS_FP >> 6 == GP_READS_FP && GP_RULE_PASSES_FP >> 6 == GP_PASSES_FP, "the same bits");
    if (walk->walked < GP_STACK_DEPTH) {
        gp_stack_frame *frame = &walk->fresh[walk->walked];
        frame->at = (gp_stack_pair){walk->state.fp, walk->state.pc};
        frame->cfa = walk->state.sp;
        frame->fp_slot = walk->state.fp_slot;
        if (GP_RETURN_AT_CFA == 0)
            frame->pc_slot = walk->state.pc_slot;
        frame->traits = (uint8_t)((rule >> 6 & (GP_READS_FP | GP_PASSES_FP)) | (walk->state.exact ? GP_EXACT : 0) |
                                  (walk->moved ? GP_MOVED : 0));
    }
    walk->walked++;
    const gp_step_result result = gp_step(&walk->state, rule, &walk->reads);
    if (result == GP_STEP_LOST)
        mark_lost(walk);
    walk->moved = result == GP_STEP_OUT_MOVED;
    return result != GP_STEP_END && result != GP_STEP_LOST;
}

static bool stands_at(const gp_stack_frame *frame, const gp_frame_state *state) {
    return frame->cfa == state->sp && frame->at.pc == state->pc &&
           (frame->at.fp == state->fp || !(frame->traits & GP_FP_MATTERS)) &&
           !(frame->traits & GP_EXACT) == !state->exact;
}

// The frame is reached as the walk has come: from another callee, as a rule.
static void reach(gp_stack_frame *frame, const gp_memo_walk *walk) {
    frame->fp_slot = walk->state.fp_slot;
    if (GP_RETURN_AT_CFA == 0)
        frame->pc_slot = walk->state.pc_slot;
    frame->traits = (uint8_t)((frame->traits & ~GP_MOVED) | (walk->moved ? GP_MOVED : 0));
}

// Goes on from `frame` (one of the memo's), which has just been taken. Its fp is known or does not matter.
static bool step_from(gp_memo_walk *walk, const gp_stack_frame *frame) {
    gp_frame_state_set(&walk->state, frame->at.pc, frame->cfa, frame->at.fp, frame->fp_slot, frame->traits & GP_EXACT,
                       frame->pc_slot, 0);
    if (GP_CONTEXT_LINK_BEHIND_FP != 0 && walk->state.exact && frame->fp_slot)
        gp_stack_read(&walk->reads, frame->fp_slot + GP_CONTEXT_LINK_BEHIND_FP, &walk->state.link);
    gp_rule rule = gp_rule_at(walk->thread, frame->at.pc, walk->state.exact);
    gp_step_result result = rule ? gp_step(&walk->state, rule, &walk->reads) : GP_STEP_LOST;
    if (result == GP_STEP_LOST)
        mark_lost(walk);
    walk->moved = result == GP_STEP_OUT_MOVED;
    return result == GP_STEP_OUT || result == GP_STEP_OUT_MOVED;
}

// Takes frames as nearly all are, on the thread's own stack, with the state in registers: what take_step would make of them.
// Ends at the first that is none, or at which the memo may be met.
static void take_plain_steps(gp_memo_walk *walk) {
    const gp_stack_frame *frames = walk->memo->frames;
    const uintptr_t low = walk->reads.low, room = walk->reads.high - low;
    uintptr_t pc = walk->state.pc, sp = walk->state.sp, fp = walk->state.fp, slot = walk->state.fp_slot;
    uintptr_t pc_slot = GP_RETURN_AT_CFA == 0 ? walk->state.pc_slot : 0;
    const gp_stack_frame *met = frames + walk->usable - 1;  // the memo's that may be met next
    gp_stack_frame *frame = walk->fresh + walk->walked;
    if (walk->moved || walk->state.exact || walk->reads.high != walk->reads.own_high)
        return;
    for (;; frame++) {
        while (met >= frames && met->cfa < sp)
            met--;
        if ((met >= frames && met->cfa == sp && met->at.pc == pc) || frame >= walk->fresh + GP_STACK_DEPTH)
            break;
        const gp_stack_rule *known = rule_place(walk, pc);
        const gp_rule rule = known->rule;
        const gp_cfa_kind kind = gp_rule_cfa(rule);
        const gp_fp_kind saved = gp_rule_fp(rule);
        if (known->pc != pc || (kind != GP_CFA_SP && kind != GP_CFA_FP) || saved == GP_FP_AT_FP ||
            gp_rule_return_in_link(rule))
            break;
        const uintptr_t cfa = (kind == GP_CFA_SP ? sp : fp) + (uintptr_t)gp_rule_offset(rule);
        const uintptr_t back = (uintptr_t)gp_rule_return_offset(rule);
        const uintptr_t at = cfa + (saved == GP_FP_AT_CFA ? (uintptr_t)gp_rule_fp_offset(rule) : back);
        if (cfa <= sp || cfa & 7 || cfa + back - low >= room || at - low >= room ||
            !gp_rule_return_lies_in(cfa + back, sp, cfa))
            break;
        frame->at = (gp_stack_pair){fp, pc};
        frame->cfa = sp;
        frame->fp_slot = slot;
        if (GP_RETURN_AT_CFA == 0)
            frame->pc_slot = pc_slot;
        frame->traits = (uint8_t)(rule >> 6 & (GP_READS_FP | GP_PASSES_FP));
        pc_slot = cfa + back;
        pc = gp_code_address(*(const uintptr_t *)pc_slot);
        slot = saved == GP_FP_AT_CFA ? at : 0;
        fp = slot ? *(const uintptr_t *)slot : fp;
        sp = cfa;
    }
    gp_frame_state_set(&walk->state, pc, sp, fp, slot, false, pc_slot, 0);
    walk->walked = (uint32_t)(frame - walk->fresh);
    walk->usable = (uint32_t)(met + 1 - frames);
}

uint32_t gp_memo_walk_there(gp_memo_walk *walk) {
    gp_stack_frame *frames = walk->memo->frames;
    for (;;) {
        take_plain_steps(walk);
        while (walk->usable > 0 && frames[walk->usable - 1].cfa < walk->state.sp)
            walk->usable--;
        if (walk->usable > 0 && stands_at(&frames[walk->usable - 1], &walk->state)) {
            uint32_t met = walk->usable;
            bool own = gp_stack_is_own(&walk->reads, walk->state.sp) && frames[0].cfa <= walk->reads.own_high;
            bool stands = own && gp_memo_can_stand(walk->memo, met - 1) && gp_is_valid(walk->memo, met - 1);
            uint32_t changed = stands ? 0 : first_changed(frames, met - 1, &walk->reads);
            bool lost = frames[0].traits & GP_LOST;
            if (changed == 0 && !lost) {
                reach(&frames[met - 1], walk);
                return met;
            }
            const gp_stack_frame *last = &frames[changed];
            walk->usable = changed;
            if (last->traits & GP_FP_MATTERS && last < frames + met - 1) {
                for (const gp_stack_frame *frame = frames + met - 1; frame >= last; frame--) {
                    take(walk, frame);
                    if (frame == frames + met - 1 && walk->walked <= GP_STACK_DEPTH)
                        reach(&walk->fresh[walk->walked - 1], walk);
                }
                if (!step_from(walk, last))
                    return 0;
                continue;
            }
        }
        if (!take_step(walk) || walk->walked >= WALK_LIMIT)
            return 0;
    }
}

void gp_memo_walk_beyond(gp_memo_walk *walk, uint32_t kept, uint32_t wanted) {
    const gp_stack_frame *frames = walk->memo->frames;
    for (uint32_t i = kept; i-- > 0;)
        take(walk, &frames[i]);
    bool more = step_from(walk, &frames[0]);
    while (more && walk->walked < wanted)
        more = take_step(walk);
}
