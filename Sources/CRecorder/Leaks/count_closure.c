#include "count_closure.h"

#include <string.h>

#include "number_set.h"
#include "references.h"

void gp_count_closure(const gp_object_graph *graph, const uint64_t *hot, bool *closed, uint32_t *incoming) {
    memset(incoming, 0, graph->count * sizeof *incoming);
    for (uint32_t from = 0; from < graph->count; from++)
        for (uint32_t e = graph->rows.items[from]; e < graph->rows.items[from + 1]; e++) {
            uint32_t to = graph->targets.items[e];
            incoming[to] += graph->component[from] && graph->component[from] == graph->component[to];
        }
    for (uint32_t c = 1; c <= graph->components; c++)
        closed[c] = true;
    for (uint32_t v = 0; v < graph->count; v++) {
        uint32_t component = graph->component[v];
        if (!component || !closed[component])
            continue;
        uint8_t needed = GP_VERTEX_WHOLE | GP_VERTEX_SWIFT;
        gp_reference_counts counts = gp_reference_counts_of(graph->address[v]);
        closed[component] = (graph->flags[v] & needed) == needed && !(hot && gp_set_has(hot, graph->block[v])) &&
                            !counts.immortal && !counts.deiniting && counts.strong == incoming[v];
    }
}
