// The references between a chosen set of blocks, in compressed rows.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"

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

// Proof by counting: a strongly connected component of Swift objects whose strong counts are all explained by references
// from inside it has no other owner, whatever a stale word on a stack says.
//
// Stores into proved[c] (component numbers 1 …, room for components + 1) whether component c is proven. `running`: blocks
// whose references a running thread may just be moving; a component with one of them is not proved. NULL: none.
void gp_count_closure(const gp_object_graph *graph, const uint64_t *running, bool *proved, uint32_t *incoming);

// Strongly connected components of a graph, without recursion: a linked list of five million nodes is one.

// The edges of vertex v are targets[rows[v]] … targets[rows[v + 1] − 1].
typedef struct {
    uint32_t count;
    const uint32_t *rows;  // count + 1
    const uint32_t *targets;
} gp_graph;

// Stores into component[v] the number 1 … of the component that v is on a cycle of, 0: v is on no cycle.
// Returns how many components there are. `work`: 5 × count entries. Linear in vertices and edges.
uint32_t gp_components(const gp_graph *graph, uint32_t *component, uint32_t *work);
