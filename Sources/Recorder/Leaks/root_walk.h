// The shortest paths from the roots: which block holds each living block, found breadth first over references that own.
//
// What stays (globals, mapped memory) is walked to its end before stacks and registers are: a word of a stack may be
// stale, or belong to a function that only borrows; then from libc's own variables (the buffers of its streams). Unmanaged
// references come last, for what nothing else leads to.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"
#include "roots.h"

enum { GP_NOT_REACHED = 0, GP_HELD_BY_ROOT = 1, GP_HELD_BY_BLOCK = 2 };  // the last: plus the holder's number

typedef struct {
    const gp_roots *roots;
    const gp_block_index *index;
    const uint64_t *proved;  // by block: no word holds these. NULL: none
    const uint64_t *wanted;  // by block: those whose path is asked for
    uint32_t *holder;  // by block: GP_NOT_REACHED, GP_HELD_BY_ROOT, or GP_HELD_BY_BLOCK + number of its holder
    uintptr_t *queue;  // starts of the blocks that were reached, nearest first
    uint32_t count;
    _Atomic uint32_t *progress;
    // Called for every reference that owns or is unmanaged, from a block that was reached; NULL: nobody is.
    void (*edge)(uint32_t from, uint32_t to, void *context);
    void *edge_context;

    uint32_t head, current;
    bool unmanaged;
    bool of_libc;  // libc's own variables are walked from, nothing else
} gp_root_walk;

// Walks; 12 bytes a block. `wanted_count`: how many blocks `wanted` has. False: no memory.
bool gp_root_walk_run(gp_root_walk *walk, uint32_t wanted_count);
