// Writing what the snapshot speaks of: objects and the references between them.
#pragma once

#include <stdint.h>

#include "object_graph.h"

struct gp_thread;

typedef struct {
    const gp_object_graph *graph;  // of the blocks to be listed, connected, with components
    const uint64_t *reachable;  // by block
    const uint64_t *closed;  // by block: proven by counting
    const uint64_t *held;  // by block: closed, but named by a pointer without a count. NULL: none
    _Atomic uint32_t *progress;
} gp_findings;

// Writes GP_HEAP_OBJECT for every vertex, then GP_HEAP_EDGE for every reference between two of them. May call the Swift
// runtime for labels: nothing may be marked afterwards.
void gp_findings_write(struct gp_thread *thread, const gp_findings *findings);
