// Strongly connected components of a graph, without recursion: a linked list of five million nodes is one.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The edges of vertex v are targets[rows[v]] … targets[rows[v + 1] − 1].
typedef struct {
    uint32_t count;
    const uint32_t *rows;  // count + 1
    const uint32_t *targets;
} gp_graph;

// Stores into component[v] the number 1 … of the component that v is on a cycle of, 0: v is on no cycle.
// Returns how many components there are. `work`: 5 × count entries. Linear in vertices and edges.
uint32_t gp_components(const gp_graph *graph, uint32_t *component, uint32_t *work);
