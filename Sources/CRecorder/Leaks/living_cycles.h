// Cycles of living objects, which the report judges: through a closure, a task, a timer, or no defect at all.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "object_graph.h"

typedef struct {
    const uint64_t *marked, *hot;  // by block; hot: what other threads hold directly
    gp_object_graph *listed;
    uint64_t *members;  // by block: of listed cycles that run code, or are held
    uint64_t *held;  // by block: of listed cycles that are held
    uint32_t total;  // objects listed so far
    bool with_ways;  // a cycle was listed with what holds it
} gp_living_cycles;

// Adds the members of the graph's components to those that are listed, whole components only, 2,000 objects in all.
// `closed`: by component, those proven to be lost; `held`: those that only a pointer without a count names. NULL: none.
void gp_living_cycles_list(gp_living_cycles *cycles, const gp_object_graph *graph, const bool *closed,
                           const bool *held);

// Connects what living closure contexts and tasks lead to, as far as 100,000 blocks. Raw memory is part of it: a task that
// its object keeps and that works for it, a dispatch source whose handler captures the source's owner. False: no memory.
bool gp_living_cycles_find(gp_object_graph *graph, const gp_block_index *index, const uint64_t *marked);
