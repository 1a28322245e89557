#include "untyped_holders.h"

#include "../recorder/system.h"
#include "bits.h"
#include "block_size.h"
#include "object_kind.h"
#include "references.h"
#include "stale_room.h"

// The members of each component: those of c are vertices[rows[c]] … vertices[rows[c + 1] − 1].
typedef struct {
    uint32_t *rows, *vertices;
} members;

typedef struct {
    gp_untyped_holders *holders;
    members members;
    size_t next;  // naming to be judged
    const uint64_t *room;  // by block: what stands there may be stale
    const uint64_t *own;  // by block: what only closed components lead to. NULL: any block may be a holder
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

static void open_component(search *s, uint32_t component) {
    gp_untyped_holders *h = s->holders;
    h->closed_component[component] = false;
    h->held_component[component] = true;
    for (uint32_t i = s->members.rows[component]; i < s->members.rows[component + 1]; i++) {
        uint32_t vertex = s->members.vertices[i], block = h->graph->block[vertex];
        h->closed[block / 64] &= ~(1ull << (block % 64));
        gp_mark_block(h->marker, block, h->graph->address[vertex]);
    }
}

// What is opened may hold memory with further pointers.
static void open_named(search *s) {
    gp_list *namings = &s->holders->marker->namings;
    for (; s->next + 1 < namings->count; s->next += 2) {
        uint32_t holder = namings->items[s->next], named = namings->items[s->next + 1];
        if (!gp_bits_has(s->holders->closed, named) || (holder != GP_NO_BLOCK && gp_bits_has(s->room, holder)) ||
            (s->own && (holder == GP_NO_BLOCK || gp_bits_has(s->own, holder))))
            continue;
        open_component(s, s->holders->graph->component[s->holders->graph->number[named] - 1]);
        gp_mark_follow(s->holders->marker);
    }
}

static void mark_closed(search *s, gp_marker *marker) {
    const gp_object_graph *graph = s->holders->graph;
    for (uint32_t v = 0; v < graph->count; v++)
        if (gp_bits_has(s->holders->closed, graph->block[v]))
            gp_mark_block(marker, graph->block[v], graph->address[v]);
    gp_mark_follow(marker);
}

typedef struct {
    const search *search;
    const gp_marker *led;  // has marked what closed components lead to
    gp_marker *outside;  // is to mark what of it lives without them
} parting;

// An object with more retains than closed components and what they lead to explain is somebody else's, and so is what it
// leads to.
static bool part(uint32_t block, uintptr_t start, void *context) {
    const parting *p = context;
    if (!gp_bits_has(p->led->marked, block) || gp_bits_has(p->search->holders->closed, block) ||
        gp_object_kind_at(start, gp_block_usable(start))->kind < 0)
        return true;
    uint8_t owners = p->led->owners[block];
    if (owners < UINT8_MAX && gp_reference_counts_of(start).strong > owners)
        gp_mark_block(p->outside, block, start);
    return true;
}

static bool prepare(gp_marker *marker, const gp_marker *like) {
    size_t blocks = like->index->count;
    *marker = (gp_marker){.index = like->index, .stack = like->stack, .handled = like->handled};
    marker->progress = like->progress;
    marker->marked = gp_system_pages(gp_bits_size((uint32_t)blocks) + 8);
    marker->shown = gp_system_pages(gp_bits_size((uint32_t)blocks) + 8);
    marker->owners = gp_system_pages(blocks + 1);
    return marker->marked && marker->shown && marker->owners;
}

// By block: what closed components lead to and nothing else owns. NULL: no memory.
static uint64_t *find_own(search *s) {
    gp_marker led, outside;
    const gp_marker *marker = s->holders->marker;
    if (!prepare(&led, marker) || !prepare(&outside, marker))
        return NULL;
    mark_closed(s, &led);
    outside.closed = s->holders->closed;
    gp_index_each(marker->index, part, &(parting){s, &led, &outside});
    gp_mark_follow(&outside);
    for (size_t i = 0; i < gp_bits_size(marker->index->count) / 8; i++)
        led.marked[i] &= ~outside.marked[i];
    return led.marked;
}

bool gp_untyped_holders_mark(gp_untyped_holders *h) {
    search s = {.holders = h};
    s.room = gp_stale_room_find(h->roots);
    if (!s.room || !list_members(&s.members, h->graph))
        return false;
    h->marker->roots_name = true;
    gp_roots_mark_lasting(h->roots, h->marker);
    open_named(&s);
    h->marker->roots_name = false;
    gp_roots_mark_passing(h->roots, h->marker);
    if (s.next < h->marker->namings.count) {
        s.own = find_own(&s);
        if (!s.own)
            return false;
        open_named(&s);
    }
    return !h->marker->namings.failed;
}
