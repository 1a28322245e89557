#include "object_graph.h"

#include <stdatomic.h>
#include <string.h>

#include "system.h"
#include "TraceFormat.h"
#include "object_kind.h"
#include "references.h"

enum { PROGRESS_STEP = 4096 };

bool gp_graph_prepare(gp_object_graph *graph, const gp_block_index *index) {
    *graph = (gp_object_graph){.index = index};
    size_t room = (size_t)index->count + 1;
    graph->number = gp_system_pages(room * sizeof *graph->number);
    graph->address = gp_system_pages(room * sizeof *graph->address);
    graph->block = gp_system_pages(room * sizeof *graph->block);
    graph->flags = gp_system_pages(room);
    graph->failed = !graph->number || !graph->address || !graph->block || !graph->flags;
    return !graph->failed;
}

uint32_t gp_graph_add(gp_object_graph *graph, uint32_t block, uintptr_t address) {
    if (!graph->number[block]) {
        graph->address[graph->count] = address;
        graph->block[graph->count] = block;
        graph->number[block] = ++graph->count;
    }
    return graph->number[block] - 1;
}

typedef struct {
    gp_object_graph *graph;
    gp_edge_choice choice;
    uint32_t limit;
} connecting;

static void add_counted(const gp_reference *reference, void *context) {
    const connecting *c = context;
    gp_object_graph *graph = c->graph;
    if (reference->ownership != GP_OWN_STRONG)
        return;
    uint32_t block = gp_index_exact(graph->index, reference->target);
    if (block == GP_NO_BLOCK || gp_kind_of(reference->target).kind < 0)
        return;
    if (!graph->number[block] && graph->count >= c->limit)
        graph->failed = true;
    else
        gp_number_list_add(&graph->targets, gp_graph_add(graph, block, reference->target));
}

// Whether the block is a vertex, after it was made one if it may be.
static bool has_vertex(const connecting *c, uint32_t block, uintptr_t address) {
    if (!c->graph->number[block] && c->choice == GP_EDGES_FOUND && c->graph->count < c->limit)
        gp_graph_add(c->graph, block, address);
    return c->graph->number[block] != 0;
}

static void add_target(const connecting *c, uint32_t block, uintptr_t address) {
    if (has_vertex(c, block, address))
        gp_number_list_add(&c->graph->targets, c->graph->number[block] - 1);
}

static void add_owning(const gp_reference *reference, void *context) {
    const connecting *c = context;
    gp_object_graph *graph = c->graph;
    uint32_t block = gp_index_exact(graph->index, reference->target);
    if (block == GP_NO_BLOCK || (!graph->number[block] && c->choice == GP_EDGES_OWNING))
        return;
    bool raw = gp_kind_of(reference->target).kind < 0;
    if (reference->ownership == GP_OWN_STRONG || reference->ownership == GP_OWN_CONSERVATIVE ||
        (raw && reference->ownership == GP_OWN_UNMANAGED))
        add_target(c, block, reference->target);
}

static void add_guessed(uint32_t offset, uintptr_t start, uint32_t block, void *context) {
    (void)offset;
    gp_object_graph *graph = ((connecting *)context)->graph;
    if (!has_vertex(context, block, start))
        return;
    graph->flags[graph->number[block] - 1] |= GP_VERTEX_GUESSED;
    gp_number_list_add(&graph->targets, graph->number[block] - 1);
}

static void connect(connecting *c, uint32_t vertex) {
    gp_object_graph *graph = c->graph;
    uintptr_t address = graph->address[vertex];
    size_t usable = gp_block_usable(address);
    gp_kind kind = gp_object_kind(address, usable);
    bool swift = kind.kind >= 0 && kind.kind != GP_TYPE_TASK && kind.kind != GP_TYPE_JOB;
    const gp_decoded decoded = gp_references(address, usable, kind.kind, GP_DECODE_SHAPE,
                                             c->choice == GP_EDGES_COUNTED ? add_counted : add_owning, c);
    graph->flags[vertex] |= (swift ? GP_VERTEX_SWIFT : 0) | (decoded == GP_DECODED_ALL ? GP_VERTEX_WHOLE : 0);
    if (c->choice != GP_EDGES_COUNTED && decoded != GP_DECODED_ALL)
        gp_raw_words(graph->index, address, usable, kind, add_guessed, c);
}

void gp_graph_connect(gp_object_graph *graph, gp_edge_choice choice, uint32_t limit) {
    connecting c = {graph, choice, limit};
    for (uint32_t vertex = 0; vertex < graph->count && !graph->failed; vertex++) {
        gp_number_list_add(&graph->rows, (uint32_t)graph->targets.count);
        connect(&c, vertex);
        if (graph->progress && vertex % PROGRESS_STEP == 0)
            atomic_fetch_add(graph->progress, 1);
    }
    gp_number_list_add(&graph->rows, (uint32_t)graph->targets.count);
    graph->failed |= graph->rows.failed || graph->targets.failed || graph->targets.count > UINT32_MAX;
}

void gp_graph_components(gp_object_graph *graph) {
    size_t row = ((size_t)graph->count + 1) * sizeof(uint32_t);
    uint32_t *work = gp_system_pages(5 * row);
    graph->component = gp_system_pages(row);
    graph->failed |= !work || !graph->component;
    if (graph->failed)
        return;
    gp_graph shape = {graph->count, graph->rows.items, graph->targets.items};
    graph->components = gp_components(&shape, graph->component, work);
    gp_system(munmap, work, 5 * row);
}

void gp_count_closure(const gp_object_graph *graph, const uint64_t *running, bool *proved, uint32_t *incoming) {
    memset(incoming, 0, graph->count * sizeof *incoming);
    for (uint32_t from = 0; from < graph->count; from++)
        for (uint32_t e = graph->rows.items[from]; e < graph->rows.items[from + 1]; e++) {
            uint32_t to = graph->targets.items[e];
            incoming[to] += graph->component[from] && graph->component[from] == graph->component[to];
        }
    for (uint32_t c = 1; c <= graph->components; c++)
        proved[c] = true;
    for (uint32_t v = 0; v < graph->count; v++) {
        uint32_t component = graph->component[v];
        if (!component || !proved[component])
            continue;
        uint8_t needed = GP_VERTEX_WHOLE | GP_VERTEX_SWIFT;
        gp_reference_counts counts = gp_reference_counts_of(graph->address[v]);
        proved[component] = (graph->flags[v] & needed) == needed &&
                            !(running && gp_set_has(running, graph->block[v])) && !counts.immortal &&
                            !counts.deiniting && counts.strong == incoming[v];
    }
}
