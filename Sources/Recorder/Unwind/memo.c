#include "memo.h"

#include <string.h>

#include "arch.h"
#include "memo_check.h"
#include "stack_children.h"
#include "stack_reads.h"
#include "thread.h"

// A stack deeper than GP_STACK_DEPTH is cut at a multiple of CUT frames from its outermost end, so that the next deeper
// and the next shallower stack share their nodes with it.
enum { CUT = 64 };

static uint32_t cut_of(uint32_t depth) {
    return depth <= GP_STACK_DEPTH ? 0 : (depth - CUT - 1) / CUT * CUT;
}

// What a frame's checks are, by those of the frame outwards of it: whether fp matters, and which words are looked at again.
static inline uint8_t settle(gp_stack_frame *frame, uint8_t outer) {
    uint8_t traits = frame->traits & (GP_READS_FP | GP_PASSES_FP | GP_EXACT | GP_LOST | GP_MOVED);
    traits |= outer & (GP_NEVER_STANDS | GP_APART);
    if (traits & GP_MOVED)
        traits |= GP_NEVER_STANDS;
    uintptr_t checked = 0;
    if (traits & GP_READS_FP || (traits & GP_PASSES_FP && outer & GP_FP_MATTERS)) {
        traits |= GP_FP_MATTERS;
        if (frame->fp_slot == gp_pair_at(frame))
            checked = ~(uintptr_t)0;
        else if (frame->fp_slot)
            traits |= GP_APART;
    }
    frame->checked = (gp_stack_pair){checked, ~(uintptr_t)0};
    return frame->traits = traits;
}

// Settles frames[first ..< end], outermost first, and gives each its node. `outer`: what frames[0] has outwards of it.
static bool settle_all(gp_thread *thread, gp_stack_memo *memo, uint32_t first, uint32_t end, uint8_t outer) {
    const gp_stack_branch *branch = NULL;
    uint32_t node = first ? memo->frames[first - 1].node : 0;
    uint8_t flags = first || !memo->base ? 0 : GP_FRAME_TRUNCATED;
    for (gp_stack_frame *frame = &memo->frames[first], *last = &memo->frames[end]; frame < last; frame++) {
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
// that other words than the memo's led to is always unwound again.
static void set_top(const gp_thread *thread, gp_stack_memo *memo) {
    const gp_stack_frame *top = &memo->frames[memo->count - 1], *outermost = &memo->frames[0];
    bool own = top->cfa >= gp_own_stack_low(thread) && outermost->cfa <= thread->stack_high &&
               gp_memo_can_stand(memo, memo->count - 1);
    memo->pc = own && !(outermost->traits & GP_LOST) ? top->at.pc : 0;
    memo->sp = top->cfa;
    memo->fp = top->at.fp;
    memo->fp_matters = (top->traits & GP_FP_MATTERS) != 0;
    memo->node = top->node;
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

// Puts the frames found anew upon the first `kept` of the memo, and gives each its node.
static uint32_t remember(gp_memo_walk *walk, uint32_t kept) {
    gp_stack_memo *memo = walk->memo;
    uint32_t depth = (kept ? memo->base + kept : 0) + walk->walked;
    uint32_t base = cut_of(depth);
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
    if (rerooted && !settle_all(walk->thread, memo, 0, kept, memo->frames[0].traits & GP_FP_MATTERS))
        return lose(memo);
    const uint32_t met = kept;
    uint32_t fresh = walk->walked < depth - base - kept ? walk->walked : depth - base - kept;
    for (uint32_t i = fresh; i-- > 0; kept++)
        memo->frames[kept] = walk->fresh[i];
    uint8_t outer = base > 0 || memo->frames[0].traits & GP_LOST ? GP_FP_MATTERS : 0;
    // The frame at which the memo was met has another callee now, which may have saved fp elsewhere.
    if (met)
        outer = settle(&memo->frames[met - 1], met > 1 ? memo->frames[met - 2].traits : outer);
    if (!settle_all(walk->thread, memo, met, kept, outer))
        return lose(memo);
    memo->count = kept;
    set_top(walk->thread, memo);
    return memo->node;
}

uint32_t gp_memo_renew(gp_thread *thread, gp_stacks *stacks, gp_registers start, bool exact) {
    gp_stack_memo *memo = stacks->last;
    uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    if (memo->generation != generation)
        gp_memo_forget(memo);
    memo->generation = generation;
    if (stacks->generation != generation)
        memset(stacks->rules, 0, sizeof stacks->rules);
    stacks->generation = generation;
    gp_memo_walk walk = {
        .thread = thread,
        .memo = memo,
        .fresh = stacks->fresh,
        .rules = stacks->rules,
        .reads = gp_stack_reads_at(thread, start.sp),
        .state = {start.pc, start.sp, start.fp, 0, exact, 0, start.link},
        .usable = memo->count,
    };
    uint32_t kept = gp_memo_walk_there(&walk);
    if (kept + walk.walked == 0)
        return lose(memo);
    return remember(&walk, kept);
}

void gp_memo_copy(gp_stack_memo *memo, const gp_stack_memo *other) {
    memcpy(memo, other, offsetof(gp_stack_memo, frames) + other->count * sizeof *other->frames);
}
