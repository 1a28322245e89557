#include "analysis_steps.h"

#include "system.h"
#include "TraceFormat.h"
#include "block_index.h"
#include "object_kind.h"

enum { CYCLES_MAX = 2000, BLOCKS_MAX = 100000 };

// ------------------------------------------------------------------------------------------------------- finding

typedef struct {
    gp_object_graph *graph;
    const uint64_t *marked;
} starting;

static bool add_start(uint32_t block, uintptr_t start, void *context) {
    const starting *s = context;
    if (!gp_set_has(s->marked, block))
        return true;
    int32_t kind = gp_kind_of(start).kind;
    if (kind == GP_TYPE_TASK || kind == GP_TYPE_LOCAL)
        gp_graph_add(s->graph, block, start);
    return s->graph->count < BLOCKS_MAX;
}

bool gp_living_cycles_find(gp_object_graph *graph, const gp_block_index *index, const uint64_t *marked) {
    if (!gp_graph_prepare(graph, index))
        return false;
    starting s = {graph, marked};
    gp_index_each(index, add_start, &s);
    gp_graph_connect(graph, GP_EDGES_FOUND, BLOCKS_MAX);
    gp_graph_components(graph);
    return !graph->failed;
}

// ------------------------------------------------------------------------------------------------------- listing

enum { KEPT = 1u << 0, RUNNING = 1u << 1, RUNS_CODE = 1u << 2, HAS_CLASS = 1u << 3, BY_POINTER = 1u << 4 };

static uint8_t traits_of(const gp_living_cycles *cycles, const gp_object_graph *graph, uint32_t vertex) {
    int32_t kind = gp_kind_of(graph->address[vertex]).kind;
    return (uint8_t)((gp_set_has(cycles->running, graph->block[vertex]) ? RUNNING : 0) |
                     (kind == GP_TYPE_LOCAL || kind == GP_TYPE_TASK ? RUNS_CODE : 0) |
                     (kind == GP_TYPE_CLASS ? HAS_CLASS : 0));
}

static void choose(gp_living_cycles *cycles, const gp_object_graph *graph, const bool *proved,
                   const bool *held_by_pointer, const uint32_t *size, uint8_t *traits) {
    for (uint32_t c = 1; c <= graph->components; c++) {
        traits[c] |= held_by_pointer && held_by_pointer[c] ? BY_POINTER : 0;
        if ((proved && proved[c]) || traits[c] & RUNNING || !(traits[c] & HAS_CLASS) ||
            cycles->total + size[c] > CYCLES_MAX)
            continue;
        traits[c] |= KEPT;
        cycles->total += size[c];
        cycles->has_paths |= (traits[c] & (RUNS_CODE | BY_POINTER)) != 0;
    }
}

void gp_living_cycles_list(gp_living_cycles *cycles, const gp_object_graph *graph, const bool *proved,
                           const bool *held_by_pointer) {
    uint32_t *size = gp_system_pages((graph->components + 1ul) * sizeof *size);
    uint8_t *traits = gp_system_pages(graph->components + 1ul);
    if (!size || !traits)
        return;
    for (uint32_t v = 0; v < graph->count; v++) {
        if (!graph->component[v])
            continue;
        size[graph->component[v]]++;
        traits[graph->component[v]] |= traits_of(cycles, graph, v);
    }
    choose(cycles, graph, proved, held_by_pointer, size, traits);
    for (uint32_t v = 0; v < graph->count; v++) {
        uint8_t of_component = traits[graph->component[v]];
        if (!(of_component & KEPT) || !gp_set_has(cycles->marked, graph->block[v]))
            continue;
        gp_graph_add(cycles->listed, graph->block[v], graph->address[v]);
        if (of_component & (RUNS_CODE | BY_POINTER))
            gp_set_add(cycles->members, graph->block[v]);
        if (of_component & BY_POINTER)
            gp_set_add(cycles->held_by_pointer, graph->block[v]);
    }
}
