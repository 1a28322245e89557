#include "memo.h"

#include <string.h>

#include "arch.h"
#include "memo_check.h"
#include "stack_tree.h"
#include "stack_reads.h"
#include "thread.h"

// A stack deeper than GP_STACK_DEPTH is cut at a multiple of CUT frames from its outermost end, so that the next deeper
// and the next shallower stack share their nodes with it.
enum { CUT = 64 };

static uint32_t cut_of(uint32_t depth) {
    return depth <= GP_STACK_DEPTH ? 0 : (depth - CUT - 1) / CUT * CUT;
}

static uint8_t node_flags(const gp_stack_memo *memo, uint32_t index) {
    return (uint8_t)((memo->frames[index].traits & GP_EXACT ? GP_FRAME_EXACT : 0) |
                     (index == 0 && memo->base > 0 ? GP_FRAME_TRUNCATED : 0));
}

static bool set_node(gp_thread *thread, gp_stack_memo *memo, uint32_t index) {
    uint32_t parent = index ? memo->frames[index - 1].node : 0;
    return (memo->frames[index].node =
                gp_stack_node(thread, parent, memo->frames[index].pc, node_flags(memo, index))) != 0;
}

// Whether fp matters in this frame, and which words are looked at again: known only once the caller's frame is.
static void settle(gp_stack_memo *memo, uint32_t index) {
    gp_stack_frame *frame = &memo->frames[index];
    bool caller_needs =
        index ? memo->frames[index - 1].traits & GP_FP_MATTERS : memo->base > 0 || frame->traits & GP_LOST;
    frame->traits &= (uint8_t)~GP_FP_MATTERS;
    if (frame->traits & GP_READS_FP || (frame->traits & GP_PASSES_FP && caller_needs))
        frame->traits |= GP_FP_MATTERS;
    if (frame->check == GP_CHECK_NEVER)
        return;
    if (!(frame->traits & GP_FP_MATTERS) || frame->fp_slot == 0)
        frame->check = GP_CHECK_PC;
    else
        frame->check = frame->fp_slot + 8 == gp_frame_pc_slot(frame) ? GP_CHECK_PAIR : GP_CHECK_APART;
}

// Puts the checks of a settled frame behind those of the frames outwards of it.
static void enlist(gp_stack_memo *memo, uint32_t index) {
    gp_stack_frame *frame = &memo->frames[index];
    uint16_t pairs = gp_memo_pairs(memo, index), words = gp_memo_words(memo, index);
    frame->traits &= (uint8_t)~GP_NEVER_STANDS;
    if (frame->check == GP_CHECK_NEVER || !gp_memo_can_stand(memo, index)) {
        frame->traits |= GP_NEVER_STANDS;
    } else if (frame->check == GP_CHECK_PAIR) {
        memo->pair[pairs] = (gp_stack_pair){frame->fp, frame->pc};
        memo->pair_at[pairs++] = frame->fp_slot;
    } else {
        memo->word[words++] = (gp_stack_word){gp_frame_pc_slot(frame), frame->pc};
        if (frame->check == GP_CHECK_APART)
            memo->word[words++] = (gp_stack_word){frame->fp_slot, frame->fp};
    }
    frame->pairs = pairs;
    frame->words = words;
}

// What is compared first. A stack outside of the thread's own bounds, one that ends where nothing could be read, or one
// that other words than the memo's led to is always unwound again.
static void set_top(const gp_thread *thread, gp_stack_memo *memo) {
    const gp_stack_frame *top = &memo->frames[memo->count - 1], *outermost = &memo->frames[0];
    bool own = top->cfa >= gp_own_stack_low(thread) && outermost->cfa <= thread->stack_high &&
               gp_memo_can_stand(memo, memo->count - 1);
    memo->pc = own && !(outermost->traits & GP_LOST) ? top->pc : 0;
    memo->sp = top->cfa;
    memo->fp = top->fp;
    memo->fp_matters = (top->traits & GP_FP_MATTERS) != 0;
    memo->node = top->node;
    memo->pairs = gp_memo_pairs(memo, memo->count - 1);
    memo->words = gp_memo_words(memo, memo->count - 1);
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
    for (uint32_t i = 0; rerooted && i < kept; i++) {
        if (!set_node(walk->thread, memo, i))
            return lose(memo);
        enlist(memo, i);
    }
    // The frame at which the memo was met has another callee now, which may have saved fp elsewhere.
    if (kept) {
        settle(memo, kept - 1);
        enlist(memo, kept - 1);
    }
    uint32_t fresh = walk->walked < depth - base - kept ? walk->walked : depth - base - kept;
    for (uint32_t i = fresh; i-- > 0; kept++) {
        memo->frames[kept] = walk->fresh[i];
        settle(memo, kept);
        enlist(memo, kept);
        if (!set_node(walk->thread, memo, kept))
            return lose(memo);
    }
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
    gp_memo_walk walk = {
        .thread = thread,
        .memo = memo,
        .fresh = stacks->fresh,
        .reads = gp_stack_reads_at(thread, start.sp),
        .state = {start.pc, start.sp, start.fp, 0, 0, start.link, exact},
        .usable = memo->count,
    };
    uint32_t kept = gp_memo_walk_there(&walk);
    if (kept + walk.walked == 0)
        return lose(memo);
    return remember(&walk, kept);
}

void gp_memo_copy(gp_stack_memo *memo, const gp_stack_memo *other) {
    memcpy(memo, other, offsetof(gp_stack_memo, pair));
    memcpy(memo->pair, other->pair, other->pairs * sizeof *other->pair);
    memcpy(memo->pair_at, other->pair_at, other->pairs * sizeof *other->pair_at);
    memcpy(memo->word, other->word, other->words * sizeof *other->word);
    memcpy(memo->frames, other->frames, other->count * sizeof *other->frames);
}
