#include "analysis_steps.h"

#include <string.h>

#include "TraceFormat.h"
#include "block_index.h"
#include "freeze.h"
#include "live_table.h"
#include "object_kind.h"
#include "references.h"
#include "swift_types.h"
#include "trace_writer.h"

enum { LABEL_LIMIT_MS = 1000, TIMEOUTS_MAX = 3 };

// ------------------------------------------------------------------------------------------------------- objects

static void write_object(struct gp_thread *thread, const gp_findings *findings, uint32_t vertex) {
    const gp_object_graph *graph = findings->graph;
    uintptr_t address = graph->address[vertex];
    gp_block block = {.address = address};
    gp_live_get(address, &block);
    gp_heap_object record = {.header.kind = GP_HEAP_OBJECT,
                             .index = vertex + 1,
                             .address = address,
                             .size = block.size,
                             .stack = block.stack,
                             .component = graph->component[vertex]};
    if (gp_set_has(findings->reachable, graph->block[vertex]))
        record.flags |= GP_OBJECT_REACHABLE;
    if (findings->proved && gp_set_has(findings->proved, graph->block[vertex]))
        record.flags |= GP_OBJECT_COUNT_CLOSED;
    if (findings->held_by_pointer && gp_set_has(findings->held_by_pointer, graph->block[vertex]))
        record.flags |= GP_OBJECT_HELD_BY_POINTER;
    if (gp_kind_of(address).kind >= 0) {
        gp_reference_counts counts = gp_reference_counts_of(address);
        record.type = gp_type_id(thread, *(const uintptr_t *)address, gp_block_usable(address));
        record.flags |= GP_OBJECT_SWIFT | (counts.has_side_table ? GP_OBJECT_HAS_SIDE_TABLE : 0) |
                        (counts.deiniting ? GP_OBJECT_DEINITED : 0);
        bool unsure = !(graph->flags[vertex] & GP_VERTEX_SWIFT) || graph->flags[vertex] & GP_VERTEX_GUESSED;
        record.flags |= unsure || counts.immortal ? GP_OBJECT_COUNT_UNSURE : 0;
        record.strong = counts.strong;
        record.unowned = counts.unowned;
        record.weak = counts.weak;
    }
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

// --------------------------------------------------------------------------------------------------------- edges

typedef struct {
    struct gp_thread *thread;
    const gp_findings *findings;
    uint32_t vertex;
    gp_decode_mode mode;
    int kind;  // of this vertex
    uint32_t visited, written;  // references of this vertex
    gp_decoded decoded;
} writing;

static void write_edge(const writing *w, const gp_reference *reference, uint32_t block) {
    const gp_object_graph *graph = w->findings->graph;
    gp_heap_edge record = {.header.kind = GP_HEAP_EDGE,
                           .from = w->vertex + 1,
                           .to = graph->number[block],
                           .offset = reference->offset,
                           .position = reference->position,
                           .function = reference->function,
                           .ownership = reference->ownership,
                           .label_kind = reference->label_kind,
                           .flags = (reference->not_weak ? GP_EDGE_NOT_WEAK : 0) |
                                    (reference->constant ? GP_EDGE_CONSTANT : 0)};
    if (reference->declared_type)
        record.declared_type = gp_type_id(w->thread, reference->declared_type, SIZE_MAX);
    const char *label = reference->label;
    gp_write_record(w->thread, &record, sizeof record, label, label ? strlen(label) : 0);
}

static void visit_raw_word(uint32_t offset, uintptr_t start, uint32_t block, void *context) {
    writing *w = context;
    gp_reference reference = {
        .target = start, .offset = offset, .ownership = GP_OWN_CONSERVATIVE, .label_kind = GP_LABEL_RAW};
    if (w->findings->graph->number[block])
        write_edge(w, &reference, block);
}

// A weak reference keeps the side table of what it named, also after that has died.
static void write_kept_table(writing *w, const gp_reference *reference) {
    uintptr_t word = *(const uintptr_t *)(w->findings->graph->address[w->vertex] + reference->offset);
    uint32_t block = gp_index_exact(w->findings->graph->index, word & GP_ADDRESS_BITS);
    if (block != GP_NO_BLOCK)
        visit_raw_word(reference->offset, word & GP_ADDRESS_BITS, block, w);
}

static void visit_reference(const gp_reference *reference, void *context) {
    writing *w = context;
    const gp_object_graph *graph = w->findings->graph;
    uint32_t block = gp_index_exact(graph->index, reference->target);
    if (w->visited++ < w->written)
        return;
    w->written = w->visited;
    if (block != GP_NO_BLOCK && graph->number[block])
        write_edge(w, reference, block);
    if (reference->ownership == GP_OWN_WEAK)
        write_kept_table(w, reference);
}

static void decode(void *context) {
    writing *w = context;
    uintptr_t address = w->findings->graph->address[w->vertex];
    w->visited = 0;
    w->decoded = gp_references(address, gp_block_usable(address), w->kind, w->mode, visit_reference, w);
}

static void write_side_table_edge(writing *w, uintptr_t address) {
    uintptr_t table = gp_side_table_of(address);
    uint32_t block = gp_index_exact(w->findings->graph->index, table);
    if (block != GP_NO_BLOCK)
        visit_raw_word(8, table, block, w);
}

static void write_edges(writing *w) {
    uintptr_t address = w->findings->graph->address[w->vertex];
    gp_kind kind = gp_kind_of(address);
    w->written = 0;
    w->kind = kind.kind;
    w->decoded = GP_DECODED_NONE;
    if (kind.kind >= 0) {
        static unsigned timeouts;
        w->mode = timeouts < TIMEOUTS_MAX ? GP_DECODE_LABELS : GP_DECODE_SHAPE;
        if (!gp_fault_guard_run(decode, w, LABEL_LIMIT_MS)) {
            timeouts++;
            w->mode = GP_DECODE_SHAPE;
            decode(w);
        }
        write_side_table_edge(w, address);
    }
    if (w->decoded != GP_DECODED_ALL)
        gp_raw_words(w->findings->graph->index, address, gp_block_usable(address), kind, visit_raw_word, w);
}

void gp_findings_write(struct gp_thread *thread, const gp_findings *findings) {
    for (uint32_t v = 0; v < findings->graph->count; v++)
        write_object(thread, findings, v);
    writing w = {.thread = thread, .findings = findings};
    for (w.vertex = 0; w.vertex < findings->graph->count; w.vertex++) {
        write_edges(&w);
        atomic_fetch_add(findings->progress, 1);
    }
}
