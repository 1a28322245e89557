// The walk from the innermost registers of a stack to the frames of a memo that still stand as they did.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stack.h"
#include "stack_reads.h"
#include "step.h"

struct gp_thread;

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
