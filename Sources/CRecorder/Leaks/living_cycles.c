#include "living_cycles.h"

#include "system.h"
#include "TraceFormat.h"
#include "number_set.h"
#include "block_size.h"
#include "object_kind.h"

enum { CYCLES_MAX = 2000, BLOCKS_MAX = 100000 };

static int32_t kind_at(uintptr_t address) {
    return gp_object_kind(address, gp_block_usable(address)).kind;
}

// ------------------------------------------------------------------------------------------------------- finding

typedef struct {
    gp_object_graph *graph;
    const uint64_t *marked;
} starting;

static bool add_start(uint32_t block, uintptr_t start, void *context) {
    const starting *s = context;
    if (!gp_set_has(s->marked, block))
        return true;
    int32_t kind = kind_at(start);
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

enum { KEPT = 1u << 0, HOT = 1u << 1, RUNS_CODE = 1u << 2, HAS_CLASS = 1u << 3, HELD = 1u << 4 };

static uint8_t traits_of(const gp_living_cycles *cycles, const gp_object_graph *graph, uint32_t vertex) {
    int32_t kind = kind_at(graph->address[vertex]);
    return (uint8_t)((gp_set_has(cycles->hot, graph->block[vertex]) ? HOT : 0) |
                     (kind == GP_TYPE_LOCAL || kind == GP_TYPE_TASK ? RUNS_CODE : 0) |
                     (kind == GP_TYPE_CLASS ? HAS_CLASS : 0));
}

static void choose(gp_living_cycles *cycles, const gp_object_graph *graph, const bool *closed, const bool *held,
                   const uint32_t *size, uint8_t *traits) {
    for (uint32_t c = 1; c <= graph->components; c++) {
        traits[c] |= held && held[c] ? HELD : 0;
        if ((closed && closed[c]) || traits[c] & HOT || !(traits[c] & HAS_CLASS) ||
            cycles->total + size[c] > CYCLES_MAX)
            continue;
        traits[c] |= KEPT;
        cycles->total += size[c];
        cycles->with_ways |= (traits[c] & (RUNS_CODE | HELD)) != 0;
    }
}

void gp_living_cycles_list(gp_living_cycles *cycles, const gp_object_graph *graph, const bool *closed,
                           const bool *held) {
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
    choose(cycles, graph, closed, held, size, traits);
    for (uint32_t v = 0; v < graph->count; v++) {
        uint8_t of_component = traits[graph->component[v]];
        if (!(of_component & KEPT) || !gp_set_has(cycles->marked, graph->block[v]))
            continue;
        gp_graph_add(cycles->listed, graph->block[v], graph->address[v]);
        if (of_component & (RUNS_CODE | HELD))
            gp_set_add(cycles->members, graph->block[v]);
        if (of_component & HELD)
            gp_set_add(cycles->held, graph->block[v]);
    }
}
