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
        walk->fresh[walk->walked].traits &= ~(uint32_t)GP_LOST;
    }
    walk->walked++;
}

// The frame taken last has a caller that could not be read.
static void mark_lost(gp_memo_walk *walk) {
    if (walk->walked > 0 && walk->walked <= GP_STACK_DEPTH)
        walk->fresh[walk->walked - 1].traits |= GP_LOST;
}

// Takes the frame of the current state and steps out of it. False when it is the last.
static inline bool take_step(gp_memo_walk *walk) {
    const gp_rule rule = gp_rule_at(walk->thread, walk->state.pc, walk->state.exact);
    if (!rule) {
        mark_lost(walk);
        return false;
    }
    if (walk->walked < GP_STACK_DEPTH) {
        gp_stack_frame *frame = &walk->fresh[walk->walked];
        frame->at = (gp_stack_pair){walk->state.fp, walk->state.pc};
        frame->cfa = walk->state.sp;
        frame->fp_slot = walk->state.fp_slot;
        if (GP_RETURN_AT_CFA == 0)
            frame->pc_slot = walk->state.pc_slot;
        frame->traits =
            (uint8_t)(gp_rule_traits(rule) | (walk->state.exact ? GP_EXACT : 0) | (walk->moved ? GP_MOVED : 0));
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
    frame->traits = (frame->traits & ~(uint32_t)GP_MOVED) | (walk->moved ? GP_MOVED : 0);
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

uint32_t gp_memo_walk_there(gp_memo_walk *walk) {
    gp_stack_frame *frames = walk->memo->frames;
    for (;;) {
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
