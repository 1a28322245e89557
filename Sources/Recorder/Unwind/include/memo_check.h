// Whether a thread's last stack is still valid, inline for the hooks: all that an unchanged stack costs.
#pragma once

#include <stdbool.h>

#include "stack.h"
#include "stack_tree.h"

// gp_stack_frame.traits
enum {
    GP_READS_FP = 1u << 0,  // its CFA follows from fp
    GP_PASSES_FP = 1u << 1,  // its caller's fp is its own
    GP_FP_MATTERS = 1u << 2,  // the way outwards from here depends on fp
    GP_EXACT = 1u << 3,  // pc was interrupted, it is not a return address
    GP_LOST = 1u << 4,  // it has a caller, but what stands on the stack is no plausible frame
    GP_NEVER_STANDS = 1u << 5,  // it or a frame outwards of it is GP_CHECK_NEVER
};

// gp_stack_frame.check
enum {
    GP_CHECK_PC,  // the return address
    GP_CHECK_PAIR,  // fp and the return address right above it
    GP_CHECK_APART,  // the return address, and fp at fp_slot
    GP_CHECK_NEVER,  // other words decided too: unwind it again
};

// Where a frame's pc was read.
static inline uintptr_t gp_frame_pc_slot(const gp_stack_frame *frame) {
    return frame->cfa - frame->pc_below;
}

// How many pairs and words check frames[0 ..< count].
static inline uint16_t gp_memo_pairs(const gp_stack_memo *memo, uint32_t count) {
    return count ? memo->frames[count - 1].pairs : 0;
}
static inline uint16_t gp_memo_words(const gp_stack_memo *memo, uint32_t count) {
    return count ? memo->frames[count - 1].words : 0;
}

// Whether the checks of frames[0 ..< count] can hold at all. Only then do these frames lie on one stack, each outwards of
// the next: a frame that was found behind a signal's may lie on another, which may be unmapped by now.
static inline bool gp_memo_can_stand(const gp_stack_memo *memo, uint32_t count) {
    return count == 0 || !(memo->frames[count - 1].traits & GP_NEVER_STANDS);
}

// Whether the first `pairs` and `words` of the memo's checks hold. Only for a stack within the thread's own bounds whose
// frames can stand. One branch at the end: one for each frame would cost as much as its comparison.
static inline bool gp_is_valid(const gp_stack_memo *memo, uint32_t pairs, uint32_t words) {
    // Both words at once, where the processor can.
    typedef uint64_t pair __attribute__((vector_size(16)));
    typedef pair unaligned_pair __attribute__((aligned(8), may_alias));
    pair differs = {0, 0};
    for (uint32_t i = 0; i < pairs; i++)
        differs |= *(const unaligned_pair *)memo->pair_at[i] ^ *(const unaligned_pair *)&memo->pair[i];
    uintptr_t changed = differs[0] | differs[1];
    for (uint32_t i = 0; i < words; i++)
        changed |= *(const uintptr_t *)memo->word[i].address ^ memo->word[i].expected;
    return changed == 0;
}

// The id of the stack that starts with these registers, if it is the memo's and that is valid; otherwise 0.
static inline uint32_t gp_stack_id_unchanged(const gp_stack_memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    bool is_valid = memo->pc == pc && memo->sp == sp && (memo->fp == fp || !memo->fp_matters) &&
                    memo->generation == generation && gp_is_valid(memo, memo->pairs, memo->words);
    return __builtin_expect(is_valid, 1) ? memo->node : 0;
}
