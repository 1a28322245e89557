#include "analysis_steps.h"

#include <string.h>

#include "system.h"
#include "block_index.h"
#include "object_kind.h"
#include "references.h"
#include "stale_words.h"

// The members of each component: those of c are vertices[rows[c]] … vertices[rows[c + 1] − 1].
typedef struct {
    uint32_t *rows, *vertices;
} members;

typedef struct {
    gp_untyped_holders *holders;
    members members;
    uint64_t *room;  // by block: what stands there may be stale
    bool parted;  // whether a holder is to be led to by more than proved components
    gp_marker led;  // has marked what proved components lead to
    gp_marker outside;  // has marked what of it lives without them
} search;

static bool list_members(members *m, const gp_object_graph *graph) {
    m->rows = gp_system_pages((graph->components + 2ul) * sizeof *m->rows);
    m->vertices = gp_system_pages((graph->count + 1ul) * sizeof *m->vertices);
    if (!m->rows || !m->vertices)
        return false;
    for (uint32_t v = 0; v < graph->count; v++)
        m->rows[graph->component[v]]++;
    for (uint32_t c = 0, sum = 0; c <= graph->components + 1; c++) {
        uint32_t size = m->rows[c];
        m->rows[c] = sum;
        sum += size;
    }
    for (uint32_t v = 0; v < graph->count; v++)
        m->vertices[m->rows[graph->component[v]]++] = v;
    for (uint32_t c = graph->components + 1; c > 0; c--)
        m->rows[c] = m->rows[c - 1];
    m->rows[0] = 0;
    return true;
}

static bool is_holder(const search *s, uint32_t block) {
    if (block == GP_NO_BLOCK)
        return !s->parted;
    if (gp_set_has(s->room, block))
        return false;
    return !s->parted || !gp_set_has(s->led.marked, block) || gp_set_has(s->outside.marked, block);
}

static void mark_members(const search *s, uint32_t component, gp_marker *marker) {
    const gp_object_graph *graph = s->holders->graph;
    for (uint32_t i = s->members.rows[component]; i < s->members.rows[component + 1]; i++)
        gp_mark_block(marker, graph->block[s->members.vertices[i]], graph->address[s->members.vertices[i]]);
    gp_mark_follow(marker);
}

static void open_component(search *s, uint32_t component) {
    gp_untyped_holders *h = s->holders;
    h->proved_component[component] = false;
    h->by_pointer_component[component] = true;
    for (uint32_t i = s->members.rows[component]; i < s->members.rows[component + 1]; i++) {
        uint32_t block = h->graph->block[s->members.vertices[i]];
        h->proved[block / 64] &= ~(1ull << (block % 64));
    }
    mark_members(s, component, h->marker);
    if (s->parted)
        mark_members(s, component, &s->outside);
}

// What is opened may hold memory with further pointers, and make a holder of what was none.
static void open_named(search *s, size_t first) {
    gp_number_list *namings = &s->holders->marker->namings;
    bool opened = true;
    while (opened) {
        opened = false;
        for (size_t at = first; at + 1 < namings->count; at += 2) {
            uint32_t holder = namings->items[at], named = namings->items[at + 1];
            if (!gp_set_has(s->holders->proved, named) || !is_holder(s, holder))
                continue;
            open_component(s, s->holders->graph->component[s->holders->graph->number[named] - 1]);
            opened = s->parted;
        }
    }
}

static void mark_proved(search *s, gp_marker *marker) {
    const gp_object_graph *graph = s->holders->graph;
    for (uint32_t v = 0; v < graph->count; v++)
        if (gp_set_has(s->holders->proved, graph->block[v]))
            gp_mark_block(marker, graph->block[v], graph->address[v]);
    gp_mark_follow(marker);
}

// Of what proved components lead to, an object with more retains than they explain is somebody else's.
static bool has_other_owner(const search *s, uint32_t block, uintptr_t start) {
    const uint8_t owners = s->led.owners[block];
    return owners < UINT8_MAX && gp_reference_counts_of(start).strong > owners;
}

// What lives without proved components, and so what it leads to. An object whose deinit ran owns nothing.
static bool part(uint32_t block, uintptr_t start, void *context) {
    search *s = context;
    const bool is_led = gp_set_has(s->led.marked, block);
    if (gp_set_has(s->holders->proved, block) || (!is_led && !gp_set_has(s->holders->marker->marked, block)))
        return true;
    const bool is_object = gp_object_kind_at(start, gp_block_usable(start))->kind >= 0;
    if (is_led ? is_object && has_other_owner(s, block, start) : !is_object || !gp_reference_counts_of(start).deiniting)
        gp_mark_block(&s->outside, block, start);
    return true;
}

// Parts what only proved components lead to from what something else leads to as well. False: no memory.
static bool find_parts(search *s) {
    const gp_marker *marker = s->holders->marker;
    if (!gp_mark_prepare_like(&s->led, marker) || !gp_mark_prepare_like(&s->outside, marker))
        return false;
    mark_proved(s, &s->led);
    memcpy(s->outside.marked, s->room, gp_set_size(marker->index->count));  // not to be scanned
    gp_stale_blocks_mark(s->holders->roots, s->outside.marked);
    s->outside.proved = s->holders->proved;
    gp_index_each(marker->index, part, s);
    gp_mark_follow(&s->outside);
    s->parted = true;
    return true;
}

bool gp_untyped_holders_mark(gp_untyped_holders *h) {
    static search s;
    s = (search){.holders = h};
    s.room = gp_stale_room_find(h->roots);
    if (!s.room || !list_members(&s.members, h->graph))
        return false;
    h->marker->roots_name = true;
    gp_roots_mark_lasting(h->roots, h->marker);
    open_named(&s, 0);
    h->marker->roots_name = false;
    const size_t first = h->marker->namings.count;
    gp_roots_mark_passing(h->roots, h->marker);
    if (first < h->marker->namings.count) {
        if (!find_parts(&s))
            return false;
        open_named(&s, first);
    }
    return !h->marker->namings.failed;
}
