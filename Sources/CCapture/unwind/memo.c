// The verified memo of a thread's last stack. Unwinding is a function of the innermost registers and of the words read
// on the way; while those are unchanged, so is the stack.
#include "rule_cache.h"
#include "stack.h"
#include "stack_generation.h"
#include "stack_tree.h"
#include "step.h"
#include "thread.h"

#include <emmintrin.h>
#include <string.h>

// gp_stack_frame.traits
enum {
    READS_FP = 1u << 0,  // its CFA follows from fp
    PASSES_FP = 1u << 1,  // its caller's fp is its own
    FP_MATTERS = 1u << 2,  // the way outwards from here depends on fp
    EXACT = 1u << 3,  // pc was interrupted, it is not a return address
    LOST = 1u << 4,  // it has a caller, but what stands on the stack is no plausible frame
};

// gp_stack_frame.check
enum {
    CHECK_PC,  // the word at cfa - 8
    CHECK_PAIR,  // the words at cfa - 16 (fp) and cfa - 8
    CHECK_APART,  // the words at cfa - 8 and at fp_slot
    CHECK_NEVER,  // other words decided too: unwind it again
};

// A stack deeper than GP_STACK_DEPTH is cut at a multiple of CUT frames from its outermost end, so that the next deeper
// and the next shallower stack share their nodes with it.
enum { CUT = 64, WALK_LIMIT = 65536 };

static uint32_t cut_of(uint32_t depth) {
    return depth <= GP_STACK_DEPTH ? 0 : (depth - CUT - 1) / CUT * CUT;
}

static inline bool pair_is_unchanged(const gp_stack_frame *frame) {
    __m128i now = _mm_loadu_si128((const __m128i *)(frame->cfa - 16));
    __m128i then = _mm_loadu_si128((const __m128i *)&frame->fp);
    return _mm_movemask_epi8(_mm_cmpeq_epi8(now, then)) == 0xffff;
}

// Whether frames[0 ..< count] stand as they did. Only for a stack within the thread's own bounds.
static inline bool all_unchanged(const gp_stack_frame *frames, uint32_t count) {
    for (const gp_stack_frame *frame = frames + count; frame-- > frames;) {
        if (__builtin_expect(frame->check == CHECK_PAIR, 1)) {
            if (!pair_is_unchanged(frame))
                return false;
        } else if (frame->check == CHECK_NEVER || *(const uintptr_t *)(frame->cfa - 8) != frame->pc ||
                   (frame->check == CHECK_APART && *(const uintptr_t *)frame->fp_slot != frame->fp)) {
            return false;
        }
    }
    return true;
}

// The outermost of frames[0 ..< count + 1] to which the words on the stack still lead: 0 when all stand as they did.
static uint32_t first_changed(const gp_stack_frame *frames, uint32_t count, gp_stack_reads *reads) {
    for (uint32_t i = count; i-- > 0;) {
        const gp_stack_frame *frame = &frames[i];
        uintptr_t word;
        if (frame->check == CHECK_NEVER || !gp_stack_read(reads, frame->cfa - 8, &word) || word != frame->pc)
            return i + 1;
        if ((frame->check == CHECK_PAIR || frame->check == CHECK_APART) &&
            (!gp_stack_read(reads, frame->fp_slot, &word) || word != frame->fp))
            return i + 1;
    }
    return 0;
}

typedef struct {
    gp_thread *thread;
    gp_stack_memo *memo;
    gp_stack_reads reads;
    gp_frame_state state;
    bool moved;  // state was reached by words that a memo does not keep
    uint32_t walked;  // frames found anew; the first GP_STACK_DEPTH of them are in memo->fresh
    uint32_t usable;  // frames of the memo that may still be met, the outermost ones
} walk;

static void take(walk *walk, const gp_stack_frame *frame) {
    if (walk->walked < GP_STACK_DEPTH) {
        walk->memo->fresh[walk->walked] = *frame;
        walk->memo->fresh[walk->walked].traits &= (uint16_t)~LOST;
    }
    walk->walked++;
}

// The frame taken last has a caller that could not be read.
static void mark_lost(walk *walk) {
    if (walk->walked > 0 && walk->walked <= GP_STACK_DEPTH)
        walk->memo->fresh[walk->walked - 1].traits |= LOST;
}

// Takes the frame of the current state and steps out of it. False when it is the last.
static bool take_step(walk *walk) {
    gp_rule rule = gp_rule_at(walk->thread, walk->state.pc, walk->state.exact);
    if (!rule) {
        mark_lost(walk);
        return false;
    }
    gp_stack_frame frame = {
        .cfa = walk->state.sp,
        .fp = walk->state.fp,
        .pc = walk->state.pc,
        .fp_slot = walk->state.fp_slot,
        .traits = (uint16_t)((gp_rule_reads_fp(rule) ? READS_FP : 0) | (gp_rule_passes_fp(rule) ? PASSES_FP : 0) |
                             (walk->state.exact ? EXACT : 0)),
        .check = walk->moved ? CHECK_NEVER : CHECK_PC,
    };
    gp_step_result result = gp_step(&walk->state, rule, &walk->reads);
    take(walk, &frame);
    if (result == GP_STEP_LOST)
        mark_lost(walk);
    walk->moved = result == GP_STEP_OUT_MOVED;
    return result != GP_STEP_END && result != GP_STEP_LOST;
}

static bool stands_at(const gp_stack_frame *frame, const gp_frame_state *state) {
    return frame->cfa == state->sp && frame->pc == state->pc &&
           (frame->fp == state->fp || !(frame->traits & FP_MATTERS)) && !(frame->traits & EXACT) == !state->exact;
}

// Goes on from `frame` (one of the memo's), which has just been taken. Its fp is known or does not matter.
static bool step_from(walk *walk, const gp_stack_frame *frame) {
    walk->state = (gp_frame_state){frame->pc, frame->cfa, frame->fp, frame->fp_slot, frame->traits & EXACT};
    gp_rule rule = gp_rule_at(walk->thread, frame->pc, walk->state.exact);
    gp_step_result result = rule ? gp_step(&walk->state, rule, &walk->reads) : GP_STEP_LOST;
    if (result == GP_STEP_LOST)
        mark_lost(walk);
    walk->moved = result == GP_STEP_OUT_MOVED;
    return result == GP_STEP_OUT || result == GP_STEP_OUT_MOVED;
}

// Unwinds until a frame of the memo is met from which on everything stands as it did. Returns how many of the memo's
// frames that leaves.
static uint32_t walk_to_memo(walk *walk) {
    gp_stack_frame *frames = walk->memo->frames;
    for (;;) {
        while (walk->usable > 0 && frames[walk->usable - 1].cfa < walk->state.sp)
            walk->usable--;
        if (walk->usable > 0 && stands_at(&frames[walk->usable - 1], &walk->state)) {
            uint32_t met = walk->usable;
            bool own = gp_stack_is_own(&walk->reads, walk->state.sp) && frames[0].cfa <= walk->reads.own_high;
            uint32_t changed = own && all_unchanged(frames, met - 1) ? 0 : first_changed(frames, met - 1, &walk->reads);
            bool lost = frames[0].traits & LOST;
            if (changed == 0 && !lost)
                return met;
            const gp_stack_frame *last = &frames[changed];
            walk->usable = changed;
            if (last->traits & FP_MATTERS && last < frames + met - 1) {
                for (const gp_stack_frame *frame = frames + met - 1; frame >= last; frame--) {
                    take(walk, frame);
                    if (frame == frames + met - 1 && walk->walked <= GP_STACK_DEPTH) {
                        gp_stack_frame *first = &walk->memo->fresh[walk->walked - 1];
                        first->fp_slot = walk->state.fp_slot;
                        first->check = walk->moved ? CHECK_NEVER : CHECK_PC;
                    }
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

// Takes the memo's frames too and walks on outwards of them until `wanted` frames are there.
static void walk_beyond(walk *walk, uint32_t kept, uint32_t wanted) {
    const gp_stack_frame *frames = walk->memo->frames;
    for (uint32_t i = kept; i-- > 0;)
        take(walk, &frames[i]);
    bool more = step_from(walk, &frames[0]);
    while (more && walk->walked < wanted)
        more = take_step(walk);
}

static uint8_t node_flags(const gp_stack_memo *memo, uint32_t index) {
    return (uint8_t)((memo->frames[index].traits & EXACT ? GP_FRAME_EXACT : 0) |
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
    bool caller_needs = index ? memo->frames[index - 1].traits & FP_MATTERS : memo->base > 0 || frame->traits & LOST;
    frame->traits &= (uint16_t)~FP_MATTERS;
    if (frame->traits & READS_FP || (frame->traits & PASSES_FP && caller_needs))
        frame->traits |= FP_MATTERS;
    if (frame->check == CHECK_NEVER)
        return;
    if (!(frame->traits & FP_MATTERS) || frame->fp_slot == 0)
        frame->check = CHECK_PC;
    else
        frame->check = frame->fp_slot == frame->cfa - 16 ? CHECK_PAIR : CHECK_APART;
}

static uint32_t forget(gp_stack_memo *memo) {
    memo->count = 0;
    memo->base = 0;
    return 0;
}

// Puts the frames found anew upon the first `kept` of the memo, and gives each its node.
static uint32_t remember(walk *walk, uint32_t kept) {
    gp_stack_memo *memo = walk->memo;
    uint32_t depth = (kept ? memo->base + kept : 0) + walk->walked;
    uint32_t base = cut_of(depth);
    bool rerooted = false;
    if (kept && base < memo->base) {
        walk_beyond(walk, kept, depth - base);
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
            return forget(memo);
    }
    uint32_t fresh = walk->walked < depth - base - kept ? walk->walked : depth - base - kept;
    for (uint32_t i = fresh; i-- > 0; kept++) {
        memo->frames[kept] = memo->fresh[i];
        settle(memo, kept);
        if (!set_node(walk->thread, memo, kept))
            return forget(memo);
    }
    memo->count = kept;
    return memo->frames[kept - 1].node;
}

__attribute__((noinline)) static uint32_t unwind_again(gp_thread *thread, gp_stack_memo *memo, gp_registers start,
                                                       bool exact, uint32_t generation) {
    if (memo->generation != generation)
        forget(memo);
    memo->generation = generation;
    walk walk = {
        .thread = thread,
        .memo = memo,
        .reads = gp_stack_reads_at(thread, start.sp),
        .state = {start.pc, start.sp, start.fp, 0, exact},
        .usable = memo->count,
    };
    uint32_t kept = walk_to_memo(&walk);
    if (kept + walk.walked == 0)
        return forget(memo);
    return remember(&walk, kept);
}

uint32_t gp_stack_id_in(gp_thread *thread, gp_stack_memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    if (__builtin_expect(memo->count > 0 && memo->generation == generation, 1)) {
        const gp_stack_frame *top = &memo->frames[memo->count - 1];
        if (top->pc == pc && top->cfa == sp && (top->fp == fp || !(top->traits & FP_MATTERS)) &&
            sp >= gp_own_stack_low(thread) && memo->frames[0].cfa <= thread->stack_high &&
            !(memo->frames[0].traits & LOST) && all_unchanged(memo->frames, memo->count - 1))
            return top->node;
    }
    return unwind_again(thread, memo, (gp_registers){.pc = pc, .sp = sp, .fp = fp}, false, generation);
}

uint32_t gp_stack_id_interrupted(gp_thread *thread, gp_stack_memo *memo, gp_registers at) {
    uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    return unwind_again(thread, memo, at, true, generation);
}

uint32_t gp_stack_id_at(gp_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    return gp_stack_id_in(thread, &thread->stack, pc, sp, fp);
}

uint32_t gp_stack_id(gp_thread *thread, gp_registers start) {
    return gp_stack_id_at(thread, start.pc, start.sp, start.fp);
}
