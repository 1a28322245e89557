// Some of the lost blocks for all, where there are too many to list: whole losses, at least one for each type and stack
// that begins one. What is lost in all is written by type and stack, so that the report's counts are exact.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "object_graph.h"

struct gp_thread;

typedef struct {
    struct gp_thread *thread;
    const gp_block_index *index;
    const uint64_t *marked;  // blocks that are not lost
    _Atomic uint32_t *progress;
} gp_lost_blocks;

// Writes the GP_HEAP_LOST records and adds the sample to `listed`. A listed block that others own, which are not listed,
// is flagged GP_VERTEX_GUESSED. Needs about 50 bytes for each lost block. False: no memory.
bool gp_lost_sample(const gp_lost_blocks *lost, gp_object_graph *listed);
