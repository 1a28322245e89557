// The verified memo of a thread's last stack. Unwinding is a function of the innermost registers and of the words read
// on the way; while those are unchanged, so is the stack.
#include "memo_check.h"
#include "rule_cache.h"
#include "stack.h"
#include "stack_generation.h"
#include "stack_tree.h"
#include "stack_reads.h"
#include "step.h"
#include "thread.h"

#include <string.h>

// A stack deeper than GP_STACK_DEPTH is cut at a multiple of CUT frames from its outermost end, so that the next deeper
// and the next shallower stack share their nodes with it.
enum {
    CUT = 64,
    WALK_LIMIT = 65536,
    TURN_CALLERS = 3,
    COPIED_DEPTH = 48,  // a deeper memo costs more to copy than is gained
    STRANGE_MOST = 8,  // after so many stacks that no turn knows, turns are looked at once in as many
};

static uint32_t cut_of(uint32_t depth) {
    return depth <= GP_STACK_DEPTH ? 0 : (depth - CUT - 1) / CUT * CUT;
}

// How many pairs and words check frames[0 ..< count].
static inline uint16_t pairs_of(const gp_stack_memo *memo, uint32_t count) {
    return count ? memo->frames[count - 1].pairs : 0;
}
static inline uint16_t words_of(const gp_stack_memo *memo, uint32_t count) {
    return count ? memo->frames[count - 1].words : 0;
}

// The outermost of frames[0 ..< count + 1] to which the words on the stack still lead: 0 when all stand as they did.
static uint32_t first_changed(const gp_stack_frame *frames, uint32_t count, gp_stack_reads *reads) {
    for (uint32_t i = count; i-- > 0;) {
        const gp_stack_frame *frame = &frames[i];
        uintptr_t word;
        if (frame->check == GP_CHECK_NEVER || !gp_stack_read(reads, frame->cfa - 8, &word) || word != frame->pc)
            return i + 1;
        if ((frame->check == GP_CHECK_PAIR || frame->check == GP_CHECK_APART) &&
            (!gp_stack_read(reads, frame->fp_slot, &word) || word != frame->fp))
            return i + 1;
    }
    return 0;
}

typedef struct {
    gp_thread *thread;
    gp_stack_memo *memo;
    gp_stack_frame *fresh;  // room for GP_STACK_DEPTH frames
    gp_stack_reads reads;
    gp_frame_state state;
    bool moved;  // state was reached by words that a memo does not keep
    uint32_t walked;  // frames found anew; the first GP_STACK_DEPTH of them are in fresh
    uint32_t usable;  // frames of the memo that may still be met, the outermost ones
} walk;

static void take(walk *walk, const gp_stack_frame *frame) {
    if (walk->walked < GP_STACK_DEPTH) {
        walk->fresh[walk->walked] = *frame;
        walk->fresh[walk->walked].traits &= (uint8_t)~GP_LOST;
    }
    walk->walked++;
}

// The frame taken last has a caller that could not be read.
static void mark_lost(walk *walk) {
    if (walk->walked > 0 && walk->walked <= GP_STACK_DEPTH)
        walk->fresh[walk->walked - 1].traits |= GP_LOST;
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
        .traits = (uint8_t)((gp_rule_reads_fp(rule) ? GP_READS_FP : 0) | (gp_rule_passes_fp(rule) ? GP_PASSES_FP : 0) |
                            (walk->state.exact ? GP_EXACT : 0)),
        .check = walk->moved ? GP_CHECK_NEVER : GP_CHECK_PC,
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
           (frame->fp == state->fp || !(frame->traits & GP_FP_MATTERS)) && !(frame->traits & GP_EXACT) == !state->exact;
}

// Goes on from `frame` (one of the memo's), which has just been taken. Its fp is known or does not matter.
static bool step_from(walk *walk, const gp_stack_frame *frame) {
    walk->state = (gp_frame_state){frame->pc, frame->cfa, frame->fp, frame->fp_slot, frame->traits & GP_EXACT};
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
            bool stands = own && gp_stands(walk->memo, pairs_of(walk->memo, met - 1), words_of(walk->memo, met - 1));
            uint32_t changed = stands ? 0 : first_changed(frames, met - 1, &walk->reads);
            bool lost = frames[0].traits & GP_LOST;
            if (changed == 0 && !lost) {
                frames[met - 1].fp_slot = walk->state.fp_slot;
                frames[met - 1].check = walk->moved ? GP_CHECK_NEVER : GP_CHECK_PC;
                return met;
            }
            const gp_stack_frame *last = &frames[changed];
            walk->usable = changed;
            if (last->traits & GP_FP_MATTERS && last < frames + met - 1) {
                for (const gp_stack_frame *frame = frames + met - 1; frame >= last; frame--) {
                    take(walk, frame);
                    if (frame == frames + met - 1 && walk->walked <= GP_STACK_DEPTH) {
                        gp_stack_frame *first = &walk->fresh[walk->walked - 1];
                        first->fp_slot = walk->state.fp_slot;
                        first->check = walk->moved ? GP_CHECK_NEVER : GP_CHECK_PC;
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
        frame->check = frame->fp_slot == frame->cfa - 16 ? GP_CHECK_PAIR : GP_CHECK_APART;
}

// Puts the checks of a settled frame behind those of the frames outwards of it.
static void enlist(gp_stack_memo *memo, uint32_t index) {
    static const uintptr_t zero;
    gp_stack_frame *frame = &memo->frames[index];
    uint16_t pairs = pairs_of(memo, index), words = words_of(memo, index);
    if (frame->check == GP_CHECK_PAIR) {
        memo->pair[pairs] = (gp_stack_pair){frame->fp, frame->pc};
        memo->pair_cfa[pairs++] = frame->cfa;
    } else if (frame->check == GP_CHECK_NEVER) {
        memo->word[words++] = (gp_stack_word){(uintptr_t)&zero, 1};
    } else {
        memo->word[words++] = (gp_stack_word){frame->cfa - 8, frame->pc};
        if (frame->check == GP_CHECK_APART)
            memo->word[words++] = (gp_stack_word){frame->fp_slot, frame->fp};
    }
    frame->pairs = pairs;
    frame->words = words;
}

// What is compared first. A stack outside of the thread's own bounds, or one that ends where nothing could be read, is
// always unwound again.
static void set_top(const gp_thread *thread, gp_stack_memo *memo) {
    const gp_stack_frame *top = &memo->frames[memo->count - 1], *outermost = &memo->frames[0];
    bool own = top->cfa >= gp_own_stack_low(thread) && outermost->cfa <= thread->stack_high;
    memo->pc = own && !(outermost->traits & GP_LOST) ? top->pc : 0;
    memo->sp = top->cfa;
    memo->fp = top->fp;
    memo->fp_matters = (top->traits & GP_FP_MATTERS) != 0;
    memo->node = top->node;
    memo->pairs = pairs_of(memo, memo->count - 1);
    memo->words = words_of(memo, memo->count - 1);
}

static uint32_t forget(gp_stack_memo *memo) {
    memo->count = 0;
    memo->base = 0;
    memo->pc = 0;
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
            return forget(memo);
    }
    memo->count = kept;
    set_top(walk->thread, memo);
    return memo->node;
}

static uint32_t unwind_again(gp_thread *thread, gp_stacks *stacks, gp_registers start, bool exact) {
    gp_stack_memo *memo = stacks->last;
    uint32_t generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    if (memo->generation != generation)
        forget(memo);
    memo->generation = generation;
    walk walk = {
        .thread = thread,
        .memo = memo,
        .fresh = stacks->fresh,
        .reads = gp_stack_reads_at(thread, start.sp),
        .state = {start.pc, start.sp, start.fp, 0, exact},
        .usable = memo->count,
    };
    uint32_t kept = walk_to_memo(&walk);
    if (kept + walk.walked == 0)
        return forget(memo);
    return remember(&walk, kept);
}

// By place and depth, and by the next callers where there are frame pointers. The choice decides the cost alone.
static uint32_t turn_of(const gp_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    uintptr_t hash = pc ^ sp, low = sp;
    bool own = sp >= gp_own_stack_low(thread);
    for (int i = 0; own && i < TURN_CALLERS && fp >= low && fp % 8 == 0 && fp <= thread->stack_high - 16; i++) {
        const uintptr_t *frame = (const uintptr_t *)fp;
        hash = hash * 31 ^ frame[1];
        low = fp + 16;
        fp = frame[0];
    }
    _Static_assert(GP_STACK_TURNS == 1 << (64 - 60), "a turn for every value of the hash");
    return (uint32_t)((hash * 0x9e3779b97f4a7c15ull) >> 60);
}

static gp_stack_memo *memo_at(gp_stacks *stacks, uint32_t place) {
    gp_stack_memo *memo = &stacks->memos[place];
    if (!(stacks->begun & 1u << place))
        forget(memo);
    stacks->begun |= 1u << place;
    return memo;
}

// The id of the stack if one of the turn's memos has it. `memo`: that one, or the one that was not used for longer.
static uint32_t look_up(gp_stacks *stacks, uint32_t turn, gp_stack_memo **memo, uintptr_t pc, uintptr_t sp,
                        uintptr_t fp) {
    _Static_assert(GP_STACK_WAYS == 2 && GP_STACK_TURNS * GP_STACK_WAYS <= 32, "a bit for each");
    uint32_t last = stacks->second >> turn & 1;
    *memo = memo_at(stacks, 2 * turn + last);
    uint32_t node = gp_stack_id_unchanged(*memo, pc, sp, fp);
    if (node)
        return node;
    stacks->second ^= 1u << turn;
    *memo = memo_at(stacks, 2 * turn + !last);
    return gp_stack_id_unchanged(*memo, pc, sp, fp);
}

// What has changed since the last stack is less, as a rule, than since the last one of this turn.
static void begin_with(gp_stack_memo *memo, const gp_stack_memo *last) {
    memcpy(memo, last, offsetof(gp_stack_memo, pair));
    memcpy(memo->pair, last->pair, last->pairs * sizeof *last->pair);
    memcpy(memo->pair_cfa, last->pair_cfa, last->pairs * sizeof *last->pair_cfa);
    memcpy(memo->word, last->word, last->words * sizeof *last->word);
    memcpy(memo->frames, last->frames, last->count * sizeof *last->frames);
}

uint32_t gp_stack_id_anew(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_registers start = {pc, sp, fp};
    if (stacks->strange >= STRANGE_MOST && stacks->strange++ % STRANGE_MOST != 0)
        return unwind_again(thread, stacks, start, false);
    gp_stack_memo *memo;
    uint32_t node = look_up(stacks, turn_of(thread, pc, sp, fp), &memo, pc, sp, fp);
    stacks->strange = node ? 0 : stacks->strange + 1;
    if (memo != stacks->last && (node || stacks->last->count <= COPIED_DEPTH)) {
        if (!node)
            begin_with(memo, stacks->last);
        stacks->last = memo;
    }
    return node ? node : unwind_again(thread, stacks, start, false);
}

uint32_t gp_stack_id_in(gp_thread *thread, gp_stacks *stacks, gp_registers start) {
    uint32_t node = gp_stack_id_unchanged(stacks->last, start.pc, start.sp, start.fp);
    return node ? node : gp_stack_id_anew(thread, stacks, start.pc, start.sp, start.fp);
}

uint32_t gp_stack_id(gp_thread *thread, gp_registers start) {
    return gp_stack_id_in(thread, &thread->stacks, start);
}

uint32_t gp_stack_id_interrupted(gp_thread *thread, gp_stacks *stacks, gp_registers at) {
    return unwind_again(thread, stacks, at, true);
}
