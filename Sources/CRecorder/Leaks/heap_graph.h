// Writes the graph of all live blocks: what each is, and which blocks it refers to (GP_HEAP_NODES, GP_HEAP_LABEL,
// GP_HEAP_GRAPH_ROOT). Memory: 768 KiB and one bit a block; the graph itself is written as it is read.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "block_index.h"
#include "roots.h"

struct gp_thread;

typedef struct {
    const gp_block_index *index;
    const gp_roots *roots;
    const uint64_t *marked;  // by block: reachable
    _Atomic uint32_t *progress;
} gp_heap_graph;

// In the frozen child, after marking. False: no memory.
bool gp_heap_graph_write(struct gp_thread *thread, const gp_heap_graph *graph);
