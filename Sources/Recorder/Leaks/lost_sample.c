#include "analysis_steps.h"

#include "system.h"
#include "TraceFormat.h"
#include "block_index.h"
#include "count_rows.h"
#include "live_table.h"
#include "object_kind.h"
#include "swift_types.h"

// Of a loss the first round takes as much as there is for all of its type and stack, but not less than LEAST_OF_ONE. In
// each round ROUND_FACTOR times as many losses of a type and stack are taken as before. A cycle that was cut would look like
// a chain: one that was begun is taken as a whole, up to MOST in all.
enum { SAMPLE = 250000, MOST = 1000000, LEAST_OF_ONE = 16, ROUND_FACTOR = 8 };

typedef struct {
    const gp_lost_blocks *lost;
    gp_object_graph all, *listed;
    gp_count_rows rows;
    uint32_t *row;  // by vertex
    uint32_t *taken;  // by row: losses
    uint64_t *owned;  // vertices that another one owns, which is on no cycle with them
    uint64_t *owned_component;
    uint64_t *begun;  // components whose first vertex was seen
    uint64_t *entered;  // components of which a vertex was chosen
    uint64_t *chosen;  // vertices
    uint32_t *queue;  // the vertices that were chosen, in that order
    uint32_t count;
    uint32_t room;  // how many may be chosen so far: SAMPLE and the rest of each component that was begun
    bool failed;
} sampling;

static uint32_t type_of(const sampling *s, uintptr_t address) {
    size_t usable = gp_block_usable(address);
    return gp_object_kind(address, usable).kind < 0 ? 0
                                                    : gp_type_id(s->lost->thread, *(const uintptr_t *)address, usable);
}

static bool add_lost(uint32_t block, uintptr_t start, void *context) {
    sampling *s = context;
    if (gp_set_has(s->lost->marked, block))
        return true;
    gp_block known = {.address = start};
    gp_live_get(start, &known);
    uint32_t row = gp_count_rows_at(&s->rows, type_of(s, start), known.stack);
    if (row == GP_NO_ROW) {
        s->failed = true;
        return false;
    }
    s->rows.rows[row].count++;
    s->rows.rows[row].bytes += known.size;
    s->row[gp_graph_add(&s->all, block, start)] = row;
    return true;
}

static void write_rows(const sampling *s) {
    for (uint32_t i = 0; i < s->rows.count; i++)
        gp_count_row_write(&s->rows.rows[i], s->lost->thread, GP_HEAP_LOST);
}

static bool prepare(sampling *s) {
    size_t blocks = (size_t)s->lost->index->count + 1;
    s->row = gp_system_pages(blocks * sizeof *s->row);
    if (!s->row || !gp_graph_prepare(&s->all, s->lost->index) || !gp_count_rows_begin(&s->rows))
        return false;
    s->all.progress = s->lost->progress;
    gp_index_each(s->lost->index, add_lost, s);
    if (s->failed)
        return false;
    write_rows(s);
    gp_graph_connect(&s->all, GP_EDGES_OWNING, UINT32_MAX);
    gp_graph_components(&s->all);
    s->taken = gp_system_pages((s->rows.count + 1ul) * sizeof *s->taken);
    s->owned = gp_set_new(s->all.count);
    s->owned_component = gp_set_new(s->all.components + 1);
    s->begun = gp_set_new(s->all.components + 1);
    s->chosen = gp_set_new(s->all.count);
    s->entered = gp_set_new(s->all.components + 1);
    s->queue = gp_system_pages((MOST + 1ul) * sizeof *s->queue);
    return !s->all.failed && s->taken && s->owned && s->owned_component && s->begun && s->entered && s->chosen &&
           s->queue;
}

static void note_owned(sampling *s) {
    const gp_object_graph *all = &s->all;
    for (uint32_t v = 0; v < all->count; v++)
        for (uint32_t e = all->rows.items[v]; e < all->rows.items[v + 1]; e++) {
            uint32_t target = all->targets.items[e], component = all->component[target];
            if (component && component != all->component[v])
                gp_set_add(s->owned_component, component);
            else if (!component && target != v)
                gp_set_add(s->owned, target);
        }
}

// Whether a loss begins at the vertex: nothing owns it, or nothing owns the cycle whose first vertex it is.
static bool begins_loss(sampling *s, uint32_t vertex) {
    uint32_t component = s->all.component[vertex];
    if (!component)
        return !gp_set_has(s->owned, vertex);
    return !gp_set_has(s->owned_component, component) && gp_set_add(s->begun, component);
}

// Keeps the vertices at which losses begin, in place of the queue of all; how many there are.
static uint32_t find_losses(sampling *s, uint32_t *losses) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->all.count; v++)
        if (begins_loss(s, v))
            losses[count++] = v;
    return count;
}

static void choose(sampling *s, uint32_t vertex, uint32_t limit) {
    const uint32_t component = s->all.component[vertex];
    const bool is_entered = component && gp_set_has(s->entered, component);
    if (s->count >= (is_entered ? MOST : limit) || !gp_set_add(s->chosen, vertex))
        return;
    s->room += s->count >= limit && s->room < MOST;
    s->queue[s->count++] = vertex;
    if (component)
        gp_set_add(s->entered, component);
}

// The loss that begins at the vertex and what hangs on it, from there on in breadth: whatever is chosen has a chosen owner.
static void take(sampling *s, uint32_t vertex, uint32_t max_count) {
    uint32_t head = s->count;
    const uint32_t limit = s->room - head < max_count ? s->room : head + max_count;
    choose(s, vertex, limit);
    for (; head < s->count; head++)
        for (uint32_t e = s->all.rows.items[s->queue[head]]; e < s->all.rows.items[s->queue[head] + 1]; e++)
            choose(s, s->all.targets.items[e], limit);
}

static uint32_t rows_with_losses(const sampling *s, const uint32_t *losses, uint32_t count) {
    uint64_t *seen = gp_set_new(s->rows.count);
    uint32_t rows = 0;
    for (uint32_t i = 0; seen && i < count; i++)
        rows += gp_set_add(seen, s->row[losses[i]]);
    return rows;
}

static void choose_losses(sampling *s, const uint32_t *losses, uint32_t count) {
    uint32_t share = SAMPLE / 2 / (rows_with_losses(s, losses, count) + 1);
    uint32_t max_count = share > LEAST_OF_ONE ? share : LEAST_OF_ONE;
    bool is_left = true;
    for (uint64_t limit = 1; is_left && s->count < s->room; limit *= ROUND_FACTOR, max_count = SAMPLE) {
        is_left = false;
        for (uint32_t i = 0; i < count && s->count < s->room; i++) {
            uint32_t *taken = &s->taken[s->row[losses[i]]];
            if (gp_set_has(s->chosen, losses[i]))
                continue;
            is_left |= *taken >= limit;
            if (*taken < limit) {
                ++*taken;
                take(s, losses[i], max_count);
            }
        }
    }
}

// Their counts cannot be compared with the references that are listed.
static void flag_owned_by_others(const sampling *s) {
    const gp_object_graph *all = &s->all;
    for (uint32_t v = 0; v < all->count; v++)
        for (uint32_t e = all->rows.items[v]; e < all->rows.items[v + 1] && !gp_set_has(s->chosen, v); e++)
            if (gp_set_has(s->chosen, all->targets.items[e]))
                s->listed->flags[s->listed->number[all->block[all->targets.items[e]]] - 1] |= GP_VERTEX_GUESSED;
}

bool gp_lost_sample(const gp_lost_blocks *lost, gp_object_graph *listed) {
    sampling s = {.lost = lost, .listed = listed, .room = SAMPLE};
    if (!prepare(&s))
        return false;
    uint32_t *losses = gp_system_pages((s.all.count + 1ul) * sizeof *losses);
    if (!losses)
        return false;
    note_owned(&s);
    choose_losses(&s, losses, find_losses(&s, losses));
    for (uint32_t i = 0; i < s.count; i++)
        gp_graph_add(listed, s.all.block[s.queue[i]], s.all.address[s.queue[i]]);
    flag_owned_by_others(&s);
    return true;
}
