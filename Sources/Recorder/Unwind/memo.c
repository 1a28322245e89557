#include "memo.h"

#include <string.h>

#include "memo_check.h"
#include "memo_plain.h"
#include "stack_children.h"
#include "thread.h"

// What a frame's checks are, by those of the frame outwards of it: whether fp matters, and which words are looked at again.
static inline uint32_t settle(gp_stack_frame *frame, uint32_t outer) {
    _Static_assert(GP_READS_FP == 1 && GP_PASSES_FP == 2 && GP_FP_MATTERS == 4 && GP_MOVED << 1 == GP_NEVER_STANDS,
                   "shifted");
    uint32_t traits = frame->traits & (GP_READS_FP | GP_PASSES_FP | GP_EXACT | GP_LOST | GP_MOVED);
    const uint32_t matters = (traits | (traits >> 1 & outer >> 2)) & 1;
    const bool is_paired = frame->fp_slot == gp_pair_at(frame);
    traits |= (traits & GP_MOVED) << 1 | (outer & (GP_NEVER_STANDS | GP_APART)) | matters << 2;
    if (GP_UNLIKELY(matters && !is_paired && frame->fp_slot))
        traits |= GP_APART;
    frame->checked = (gp_stack_pair){-(uintptr_t)(matters & is_paired), ~(uintptr_t)0};
    return frame->traits = traits;
}

// Settles frames[first ..< end], outermost first, and gives each its node. `fresh`: where they are, innermost first; NULL: in
// their places. `outer`: what frames[first] has outwards of it.
static bool settle_all(gp_thread *thread, gp_stack_memo *memo, uint32_t first, uint32_t end,
                       const gp_stack_frame *fresh, uint32_t outer) {
    const gp_stack_branch *branch = NULL;
    uint32_t node = first ? memo->frames[first - 1].node : 0;
    uint8_t flags = first || !memo->base ? 0 : GP_FRAME_TRUNCATED;
    for (uint32_t i = first; i < end; i++) {
        gp_stack_frame *frame = &memo->frames[i];
        if (fresh)
            *frame = fresh[end - 1 - i];
        outer = settle(frame, outer);
        flags |= outer & GP_EXACT ? GP_FRAME_EXACT : 0;
        node = frame->node = gp_stack_node_below(thread, node, frame->at.pc, flags, &branch);
        if (!node)
            return false;
        flags = 0;
    }
    return true;
}

// What is compared first. A stack outside of the thread's own bounds, one that ends where nothing could be read, or one
// that other words than the memo's led to is always unwound again. `stands`: it is none of these.
static inline void set_top(gp_stack_memo *memo, const gp_stack_frame *top, bool stands) {
    memo->pc = stands ? top->at.pc : 0;
    memo->sp = top->cfa;
    memo->fp = top->at.fp;
    memo->fp_matters = (top->traits & GP_FP_MATTERS) != 0;
    memo->node = top->node;
    memo->count = (uint32_t)(top + 1 - memo->frames);
}

void gp_memo_forget(gp_stack_memo *memo) {
    memo->count = 0;
    memo->base = 0;
    memo->pc = 0;
}

static uint32_t lose(gp_stack_memo *memo) {
    gp_memo_forget(memo);
    return 0;
}

// What the outermost frame of the memo has outwards of it.
static inline uint32_t beyond(const gp_stack_memo *memo, const gp_stack_frame *outermost) {
    return memo->base > 0 || outermost->traits & GP_LOST ? GP_FP_MATTERS : 0;
}

// Puts `walked` fresh frames upon the first `kept` of the last memo, and gives each its node. Returns the id of the stack.
static uint32_t put(gp_thread *thread, gp_stacks *stacks, uint32_t kept, uint32_t walked) {
    gp_stack_memo *memo = stacks->last;
    uint32_t outer = beyond(memo, kept ? memo->frames : &stacks->fresh[walked - 1]);
    // The frame at which the memo was met has another callee now, which may have saved fp elsewhere.
    if (kept)
        outer = settle(&memo->frames[kept - 1], kept > 1 ? memo->frames[kept - 2].traits : outer);
    if (!settle_all(thread, memo, kept, kept + walked, stacks->fresh, outer))
        return lose(memo);
    const gp_stack_frame *top = &memo->frames[kept + walked - 1], *outermost = memo->frames;
    set_top(memo, top,
            top->cfa >= gp_own_stack_low(thread) && outermost->cfa <= thread->stack_high &&
                gp_memo_can_stand(memo, kept + walked - 1) && !(outermost->traits & GP_LOST));
    return memo->node;
}

// The same for a walk over plain frames.
static inline uint32_t put_plainly(gp_thread *thread, gp_stacks *stacks, gp_plain_walk walk) {
    gp_stack_memo *memo = stacks->last;
    gp_stack_frame *frame = walk.met;
    if (frame->fp_slot != walk.fp_slot || (GP_RETURN_AT_CFA == 0 && frame->pc_slot != walk.pc_slot)) {
        frame->fp_slot = walk.fp_slot;
        if (GP_RETURN_AT_CFA == 0)
            frame->pc_slot = walk.pc_slot;
        settle(frame, frame > memo->frames ? frame[-1].traits : beyond(memo, frame));
    }
    uint32_t outer = frame->traits, node = frame->node;
    const gp_stack_branch *branch = NULL;
    for (const volatile gp_stack_frame *from = walk.end; from > stacks->fresh;) {
        from--;  // stored word by word just now: a wider load would wait for all of it
        frame++;
        const uintptr_t pc = from->at.pc, cfa = from->cfa, slot = from->fp_slot;
        const uint32_t traits = from->traits;
        frame->at.fp = from->at.fp;
        frame->at.pc = pc;
        frame->cfa = cfa;
        frame->fp_slot = slot;
        if (GP_RETURN_AT_CFA == 0)
            frame->pc_slot = from->pc_slot;
        frame->traits = traits;
        if (GP_LIKELY(traits & (GP_READS_FP | GP_PASSES_FP)) && (slot == 0 || slot == gp_pair_at(frame))) {
            outer = traits | (outer & (GP_FP_MATTERS | GP_APART));
            frame->traits = outer;
            frame->checked.fp = slot ? -(uintptr_t)(outer >> 2 & 1) : 0;
            frame->checked.pc = ~(uintptr_t)0;
        } else {
            outer = settle(frame, outer);
        }
        node = frame->node = gp_stack_node_below(thread, node, pc, 0, &branch);
        if (GP_UNLIKELY(!node))
            return lose(memo);
    }
    set_top(memo, frame, true);
    return node;
}

// Puts the frames found anew upon the first `kept` of the memo.
static uint32_t remember(gp_memo_walk *walk, gp_stacks *stacks, uint32_t kept) {
    gp_stack_memo *memo = walk->memo;
    uint32_t depth = (kept ? memo->base + kept : 0) + walk->walked;
    uint32_t base = gp_memo_cut(depth);
    bool rerooted = false;
    if (kept && base < memo->base) {
        gp_memo_walk_beyond(walk, kept, depth - base);
        kept = 0;
        if (walk->walked < depth - base) {
            depth = walk->walked;
            base = 0;
        }
    } else if (kept && base > memo->base) {
        uint32_t dropped = base - memo->base;
        kept = dropped < kept ? kept - dropped : 0;
        memmove(memo->frames, memo->frames + dropped, kept * sizeof(gp_stack_frame));
        rerooted = true;
    }
    memo->base = base;
    if (rerooted && !settle_all(walk->thread, memo, 0, kept, NULL, memo->frames[0].traits & GP_FP_MATTERS))
        return lose(memo);
    return put(walk->thread, stacks, kept, walk->walked < depth - base - kept ? walk->walked : depth - base - kept);
}

static void notice_generation(gp_stacks *stacks) {
    gp_stack_memo *memo = stacks->last;
    const uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    if (memo->generation != generation)
        gp_memo_forget(memo);
    memo->generation = generation;
    if (stacks->generation != generation)
        memset(stacks->rules, 0, sizeof stacks->rules);
    stacks->generation = generation;
}

uint32_t gp_memo_renew(gp_thread *thread, gp_stacks *stacks, const gp_registers *start, bool exact) {
    notice_generation(stacks);
    gp_stack_memo *memo = stacks->last;
    gp_memo_walk walk = {
        .thread = thread,
        .memo = memo,
        .fresh = stacks->fresh,
        .reads = gp_stack_reads_at(thread, start->sp),
        .state = {start->pc, start->sp, start->fp, 0, exact, 0, start->link},
        .usable = memo->count,
    };
    uint32_t kept = gp_memo_walk_there(&walk);
    return kept + walk.walked ? remember(&walk, stacks, kept) : lose(memo);
}

GP_SLOW_PATH static uint32_t renew(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    return gp_memo_renew(thread, stacks, &(gp_registers){pc, sp, fp, 0}, false);
}

uint32_t gp_memo_renew_plainly(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    const uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    if (GP_LIKELY(stacks->last->generation == generation && stacks->generation == generation)) {
        const gp_plain_walk walk = gp_memo_walk_plainly(thread, stacks, pc, sp, fp);
        if (GP_LIKELY(walk.met))
            return put_plainly(thread, stacks, walk);
    }
    return renew(thread, stacks, pc, sp, fp);
}

void gp_memo_copy(gp_stack_memo *memo, const gp_stack_memo *other) {
    memcpy(memo, other, offsetof(gp_stack_memo, frames) + other->count * sizeof *other->frames);
}
