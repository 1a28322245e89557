// The verified memo of a stack. Unwinding is a function of the innermost registers and of the words read on the way;
// while those are unchanged, so is the stack.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"
#include "stack.h"
#include "stack_reads.h"
#include "step.h"

struct gp_thread;

// Knows no stack from now on.
void gp_memo_forget(gp_stack_memo *memo);

// Makes the last memo of `stacks` know the stack that starts at `start`: unwinds what of it has changed. `exact`: its
// innermost frame was interrupted. Returns the id of the stack, 0: nothing could be read, or there is no memory.
uint32_t gp_memo_renew(struct gp_thread *thread, gp_stacks *stacks, const gp_registers *start, bool exact);

// The same for a stack whose frames are plain ones, as a rule, on the thread's own stack.
uint32_t gp_memo_renew_plainly(struct gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// Makes a memo know what another one does.
void gp_memo_copy(gp_stack_memo *memo, const gp_stack_memo *other);

// A stack deeper than GP_STACK_DEPTH is cut at a multiple of CUT frames from its outermost end, so that the next deeper
// and the next shallower stack share their nodes with it: this many are not kept.
enum { GP_MEMO_CUT = 64 };

static inline uint32_t gp_memo_cut(uint32_t depth) {
    return depth <= GP_STACK_DEPTH ? 0 : (depth - GP_MEMO_CUT - 1) / GP_MEMO_CUT * GP_MEMO_CUT;
}

// Whether that are `base`, where `count` are kept.
static inline bool gp_memo_fits(uint32_t base, uint32_t count) {
    return count <= GP_STACK_DEPTH && (base == 0 || count > GP_MEMO_CUT);
}

// The walk from the innermost registers of a stack to the frames of a memo that still stand as they did.

typedef struct {
    struct gp_thread *thread;
    gp_stack_memo *memo;
    gp_stack_frame *fresh;  // room for GP_STACK_DEPTH frames
    gp_stack_reads reads;
    gp_frame_state state;
    bool moved;  // state was reached by words that a memo does not keep
    uint32_t walked;  // frames found anew; the first GP_STACK_DEPTH of them are in fresh
    uint32_t usable;  // frames of the memo that may still be met, the outermost ones
} gp_memo_walk;

// Unwinds until a frame of the memo is met from which on everything stands as it did. Returns how many of the memo's
// frames that leaves.
uint32_t gp_memo_walk_there(gp_memo_walk *walk);

// Takes the first `kept` of the memo's frames too and walks on outwards of them until `wanted` frames are there.
void gp_memo_walk_beyond(gp_memo_walk *walk, uint32_t kept, uint32_t wanted);
