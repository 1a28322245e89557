// The references between a chosen set of blocks, in compressed rows.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"
#include "components.h"
#include "number_list.h"

enum {
    GP_VERTEX_WHOLE = 1u << 0,  // every reference that it holds is known
    GP_VERTEX_SWIFT = 1u << 1,  // has a reference count that edges may be compared with
    GP_VERTEX_GUESSED = 1u << 2,  // a word without a type may name it
};

typedef struct {
    const gp_block_index *index;
    uint32_t *number;  // by block: its vertex + 1, 0: none
    uintptr_t *address;  // by vertex
    uint32_t *block;  // by vertex
    uint8_t *flags;  // by vertex: GP_VERTEX_*
    uint32_t count;
    gp_number_list rows, targets;
    uint32_t *component;  // by vertex, after gp_graph_components
    uint32_t components;
    bool failed;  // no memory: draw no conclusion
    _Atomic uint32_t *progress;  // counted up while edges are read; NULL: not counted
} gp_object_graph;

bool gp_graph_prepare(gp_object_graph *graph, const gp_block_index *index);

// Adds a block as a vertex. Its vertex number; the same when it was there.
uint32_t gp_graph_add(gp_object_graph *graph, uint32_t block, uintptr_t address);

// Which edges a graph has.
typedef enum {
    GP_EDGES_COUNTED,  // strong references at exact addresses between Swift objects: what reference counts count.
    // What they lead to is added to the graph.
    GP_EDGES_OWNING,  // every word that may own, raw memory included, between the blocks that were added
    GP_EDGES_FOUND,  // the same; what they lead to is added to the graph as long as there is room
} gp_edge_choice;

// Reads the edges of all vertices, with GP_EDGES_COUNTED and GP_EDGES_FOUND those that are found too. `limit`: vertices;
// with GP_EDGES_COUNTED it is a failure to need more.
void gp_graph_connect(gp_object_graph *graph, gp_edge_choice choice, uint32_t limit);

// Finds the strongly connected components.
void gp_graph_components(gp_object_graph *graph);
