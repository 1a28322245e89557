// Whether a thread's last stack is still valid, inline for the hooks: all that an unchanged stack costs.
#pragma once

#include <stdbool.h>

#include "rule.h"
#include "stack.h"
#include "stack_tree.h"

// gp_stack_frame.traits
enum {
    GP_READS_FP = 1u << 0,  // its CFA follows from fp
    GP_PASSES_FP = 1u << 1,  // its caller's fp is its own
    GP_FP_MATTERS = 1u << 2,  // the way outwards from here depends on fp
    GP_EXACT = 1u << 3,  // pc was interrupted, it is not a return address
    GP_LOST = 1u << 4,  // it has a caller, but what stands on the stack is no plausible frame
    GP_MOVED = 1u << 5,  // other words than those of gp_stack_frame decided too: unwind it again
    GP_NEVER_STANDS = 1u << 6,  // it or a frame outwards of it is GP_MOVED
    GP_APART = 1u << 7,  // of it or a frame outwards of it fp must be as it was, and is no half of a pair
};

_Static_assert(GP_RULE_READS_FP >> 6 == GP_READS_FP && GP_RULE_PASSES_FP >> 6 == GP_PASSES_FP, "gp_rule_traits");

// Where the pair of a frame begins: fp, if it was stored there, and right above it pc.
static inline uintptr_t gp_pair_at(const gp_stack_frame *frame) {
    return gp_frame_pc_slot(frame) - sizeof(uintptr_t);
}

// Whether fp must be as it was at fp_slot.
static inline bool gp_is_apart(const gp_stack_frame *frame) {
    return frame->traits & GP_FP_MATTERS && frame->fp_slot && !frame->checked.fp;
}

// Whether the checks of frames[0 ..< count] can hold at all. Only then do these frames lie on one stack, each outwards of
// the next: a frame that was found behind a signal's may lie on another, which may be unmapped by now.
static inline bool gp_memo_can_stand(const gp_stack_memo *memo, uint32_t count) {
    return count == 0 || !(memo->frames[count - 1].traits & GP_NEVER_STANDS);
}

// Whether the checks of some frames hold. Only for a stack within the thread's own bounds whose frames can stand. One branch at
// the end: one for each frame would cost as much as its comparison.
static inline bool gp_frames_stand(const gp_stack_frame *first, const gp_stack_frame *end) {
    // Both words at once, where the processor can.
    typedef uint64_t pair __attribute__((vector_size(16), may_alias));
    typedef pair unaligned_pair __attribute__((aligned(8)));
    pair differs = {0, 0};
#pragma clang loop unroll_count(2)
    for (const gp_stack_frame *frame = first; frame < end; frame++)
        differs |=
            (*(const unaligned_pair *)gp_pair_at(frame) ^ *(const pair *)&frame->at) & *(const pair *)&frame->checked;
    uintptr_t changed = differs[0] | differs[1];
    if (__builtin_expect(end > first && end[-1].traits & GP_APART, 0))
        for (const gp_stack_frame *frame = first; frame < end; frame++)
            changed |= gp_is_apart(frame) ? *(const uintptr_t *)frame->fp_slot ^ frame->at.fp : 0;
    return changed == 0;
}

static inline bool gp_is_valid(const gp_stack_memo *memo, uint32_t count) {
    return gp_frames_stand(memo->frames, memo->frames + count);
}

// The id of the stack that starts with these registers, if it is the memo's and that is valid; otherwise 0.
static inline uint32_t gp_stack_id_unchanged(const gp_stack_memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    bool is_valid = memo->pc == pc && memo->sp == sp && (memo->fp == fp || !memo->fp_matters) &&
                    memo->generation == generation && gp_is_valid(memo, memo->count - 1);
    return __builtin_expect(is_valid, 1) ? memo->node : 0;
}

// gp_stack_id_in, inline where the stack is unchanged.
static inline __attribute__((always_inline)) uint32_t gp_stack_id_inline(struct gp_thread *thread, gp_stacks *stacks,
                                                                         uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    const uint32_t stack = gp_stack_id_unchanged(stacks->last, pc, sp, fp);
    return __builtin_expect(stack != 0, 1) ? stack : gp_stack_id_anew(thread, stacks, pc, sp, fp);
}
