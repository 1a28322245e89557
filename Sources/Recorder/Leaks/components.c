#include "object_graph.h"

#include <string.h>

enum { DONE = UINT32_MAX };

typedef struct {
    const gp_graph *graph;
    uint32_t *order, *low, *open, *path, *cursor;
    uint32_t open_count, depth, visited, components;
} search;

static void enter(search *s, uint32_t vertex) {
    s->order[vertex] = s->low[vertex] = ++s->visited;
    s->open[s->open_count++] = vertex;
    s->cursor[vertex] = s->graph->rows[vertex];
    s->path[s->depth++] = vertex;
}

static bool has_edge_to_itself(const gp_graph *graph, uint32_t vertex) {
    for (uint32_t e = graph->rows[vertex]; e < graph->rows[vertex + 1]; e++)
        if (graph->targets[e] == vertex)
            return true;
    return false;
}

static void leave(search *s, uint32_t vertex, uint32_t *component) {
    s->depth--;
    if (s->depth > 0) {
        uint32_t parent = s->path[s->depth - 1];
        if (s->low[vertex] < s->low[parent])
            s->low[parent] = s->low[vertex];
    }
    if (s->low[vertex] != s->order[vertex])
        return;
    bool cycle = s->open[s->open_count - 1] != vertex || has_edge_to_itself(s->graph, vertex);
    uint32_t number = cycle ? ++s->components : 0;
    uint32_t member;
    do {
        member = s->open[--s->open_count];
        component[member] = number;
        s->order[member] = DONE;
    } while (member != vertex);
}

uint32_t gp_components(const gp_graph *graph, uint32_t *component, uint32_t *work) {
    uint32_t n = graph->count;
    search s = {graph, work, work + n, work + 2ul * n, work + 3ul * n, work + 4ul * n, 0, 0, 0, 0};
    memset(s.order, 0, n * sizeof *s.order);
    for (uint32_t root = 0; root < n; root++) {
        if (s.order[root])
            continue;
        enter(&s, root);
        while (s.depth > 0) {
            uint32_t vertex = s.path[s.depth - 1];
            if (s.cursor[vertex] == graph->rows[vertex + 1]) {
                leave(&s, vertex, component);
                continue;
            }
            uint32_t target = graph->targets[s.cursor[vertex]++];
            if (!s.order[target])
                enter(&s, target);
            else if (s.order[target] != DONE && s.order[target] < s.low[vertex])
                s.low[vertex] = s.order[target];
        }
    }
    return s.components;
}
