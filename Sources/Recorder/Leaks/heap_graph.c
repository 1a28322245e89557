#include "analysis_steps.h"

#include <string.h>

#include "TraceFormat.h"
#include "block_index.h"
#include "key_table.h"
#include "live_table.h"
#include "object_kind.h"
#include "references.h"
#include "swift_types.h"
#include "system.h"
#include "trace_writer.h"

// --------------------------------------------------------------------------------------------------------------- labels

// Numbers for how references are called, each written once (GP_HEAP_LABEL).
typedef struct {
    uint64_t hash;  // 0: free
    uint32_t label;
} label_slot;

typedef struct {
    label_slot *slots;
    uint32_t count;
} label_table;

enum { SLOT_BITS = 16, SLOTS = 1 << SLOT_BITS, LABELS_MAX = SLOTS / 2 };

// Without the key of a dictionary's value, which stands in front of its path.
static const char *path_of(const gp_reference *reference) {
    const char *label = reference->label ? reference->label : "";
    if (reference->label_kind != GP_LABEL_VALUE)
        return label;
    const char *end = strrchr(label, GP_KEY_END[0]);
    return end ? end + 1 : "";
}

static uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const gp_reference *reference, const char *path) {
    uint64_t hash = mixed(reference->label_kind, reference->function);
    hash = mixed(hash, reference->declared_type);
    for (; *path; path++)
        hash = mixed(hash, (uint8_t)*path);
    return hash | 1;
}

static void write_label(struct gp_thread *thread, uint32_t label, const gp_reference *reference, const char *path) {
    gp_heap_label record = {.header.kind = GP_HEAP_LABEL,
                            .label = label,
                            .label_kind = reference->label_kind,
                            .function = reference->function};
    if (reference->declared_type)
        record.declared_type = gp_type_id(thread, reference->declared_type, SIZE_MAX);
    gp_write_record(thread, &record, sizeof record, path, strlen(path));
}

// The label's number: the same for references of equal kind, path, closure and declaring class, whatever their element or
// key. 0: it has no label, or there are too many. Labels are equal when their hashes of 64 bits are.
static uint32_t label_id(label_table *table, struct gp_thread *thread, const gp_reference *reference) {
    const char *path = path_of(reference);
    if (reference->label_kind == GP_LABEL_NONE && !*path && !reference->function)
        return 0;
    const gp_key_table slots = {table->slots, sizeof *table->slots, SLOT_BITS};
    bool is_new;
    label_slot *slot = gp_key_entry(slots, hash_of(reference, path), table->count < LABELS_MAX, &is_new);
    if (slot && is_new) {
        slot->label = ++table->count;
        write_label(thread, slot->label, reference, path);
    }
    return slot ? slot->label : 0;
}

// ----------------------------------------------------------------------------------------------------------------- rows

// A row without its edges takes no more than HEAD_BYTES, an edge no more than EDGE_BYTES.
enum { HEAD_BYTES = 48, EDGE_BYTES = 16, RECORD_BYTES = 32768, EDGES_BYTES = 8192, PROGRESS_STEP = 4096 };

typedef struct {
    uint32_t number, type, flags, strong;
    uintptr_t start;
    gp_block known;
} node;

typedef struct {
    struct gp_thread *thread;
    const gp_heap_graph *graph;
    label_table labels;
    gp_heap_nodes record;
    uint8_t *rows;  // of the record
    size_t row_bytes;
    uintptr_t last;  // start of the record's last block
    node block;  // whose references are being read
    uint32_t raw_label;  // of its words without a known type
    uint8_t *edges;  // of its next row
    size_t edge_bytes;
    uint32_t edge_count;
} writing;

static size_t put(uint8_t *place, uint64_t number) {
    size_t size = 0;
    for (; number >= 0x80; number >>= 7)
        place[size++] = (uint8_t)(number | 0x80);
    place[size++] = (uint8_t)number;
    return size;
}

static uint64_t zigzag(int64_t number) {
    return ((uint64_t)number << 1) ^ (uint64_t)(number >> 63);
}

static void flush(writing *w) {
    if (w->record.rows)
        gp_write_record(w->thread, &w->record, sizeof w->record, w->rows, w->row_bytes);
    w->row_bytes = 0;
    w->record = (gp_heap_nodes){.header.kind = GP_HEAP_NODES};
}

static size_t put_node(writing *w, uint8_t *place) {
    const node *block = &w->block;
    if (!w->record.first) {
        w->record.first = block->number;
        w->record.address = w->last = block->start;
    }
    size_t size = put(place, (block->start - w->last) >> 4);
    size += put(place + size, block->known.size);
    size += put(place + size, block->type);
    size += put(place + size, block->known.stack);
    if (block->flags & GP_NODE_SWIFT)
        size += put(place + size, block->strong);
    w->last = block->start;
    return size;
}

// Ends the row of the block. What is read of it from now on comes into another.
static void put_row(writing *w) {
    if (w->row_bytes + HEAD_BYTES + w->edge_bytes > RECORD_BYTES)
        flush(w);
    uint8_t *const place = w->rows + w->row_bytes;
    size_t size = put(place, w->block.flags | (uint64_t)w->edge_count << GP_NODE_BITS);
    if (!(w->block.flags & GP_NODE_MORE))
        size += put_node(w, place + size);
    memcpy(place + size, w->edges, w->edge_bytes);
    w->row_bytes += size + w->edge_bytes;
    w->record.rows++;
    w->edge_bytes = w->edge_count = 0;
    w->block.flags = GP_NODE_MORE;
}

// ----------------------------------------------------------------------------------------------------------- edges

static void add_edge(writing *w, uint32_t block, uint32_t label, uint8_t ownership) {
    if (w->edge_bytes > EDGES_BYTES - EDGE_BYTES)
        put_row(w);
    w->edge_bytes += put(w->edges + w->edge_bytes, zigzag((int64_t)block + 1 - w->block.number));
    w->edge_bytes += put(w->edges + w->edge_bytes, (uint64_t)label << 3 | ownership);
    w->edge_count++;
}

static void add_reference(const gp_reference *reference, void *context) {
    writing *w = context;
    const uint32_t block = gp_index_exact(w->graph->index, reference->target);
    if (block != GP_NO_BLOCK)
        add_edge(w, block, label_id(&w->labels, w->thread, reference), reference->ownership);
}

static void add_raw_word(uint32_t offset, uintptr_t start, uint32_t block, void *context) {
    (void)offset, (void)start;
    add_edge(context, block, ((writing *)context)->raw_label, GP_OWN_CONSERVATIVE);
}

static void add_side_table(writing *w, uintptr_t object) {
    const uint32_t block = gp_index_exact(w->graph->index, gp_side_table_of(object));
    if (block != GP_NO_BLOCK)
        add_edge(w, block, 0, GP_OWN_STRONG);
}

// ---------------------------------------------------------------------------------------------------------- blocks

static gp_decoded read_object(writing *w, uintptr_t start, size_t usable, const gp_kind *kind) {
    const gp_reference_counts counts = gp_reference_counts_of(start);
    const bool sure = kind->kind != GP_TYPE_TASK && kind->kind != GP_TYPE_JOB && !counts.immortal;
    w->block.type = gp_type_id(w->thread, *(const uintptr_t *)start, usable);
    w->block.flags |= GP_NODE_SWIFT | (sure ? GP_NODE_COUNT_SURE : 0);
    w->block.strong = counts.strong;
    if (counts.has_side_table)
        add_side_table(w, start);
    return gp_references(start, usable, kind->kind, GP_DECODE_LABELS, add_reference, w);
}

// What libdispatch made of a DispatchWorkItem's closure: four words of a Block, then dispatch_block_private_data_s with its
// magic number, flags, and flags of its state, behind which stands how often it ran.
static bool is_cancelled_work_item(uintptr_t start, size_t usable) {
    const uintptr_t *word = (const uintptr_t *)start;
    const uint32_t state = usable >= 13 * sizeof *word && word[4] == 0xd159b10c ? (uint32_t)word[6] : 0;
    return state & 1 && !(word[6] >> 32);
}

static uint32_t raw_label(writing *w, uintptr_t start, size_t usable) {
    const gp_reference cancelled = {.label_kind = GP_LABEL_RAW, .label = GP_LABEL_CANCELLED};
    return is_cancelled_work_item(start, usable) ? label_id(&w->labels, w->thread, &cancelled) : 0;
}

static bool write_block(uint32_t block, uintptr_t start, void *context) {
    writing *w = context;
    const size_t usable = gp_block_usable(start);
    const gp_kind kind = gp_object_kind(start, usable);
    w->block = (node){.number = block + 1, .start = start, .known.address = start};
    w->block.flags = gp_set_has(w->graph->marked, block) ? GP_NODE_REACHABLE : 0;
    gp_live_get(start, &w->block.known);
    const gp_decoded decoded = kind.kind < 0 ? GP_DECODED_NONE : read_object(w, start, usable, &kind);
    w->raw_label = kind.kind < 0 ? raw_label(w, start, usable) : 0;
    if (decoded != GP_DECODED_ALL)
        gp_raw_words(w->graph->index, start, usable, kind, add_raw_word, w);
    put_row(w);
    if (block % PROGRESS_STEP == 0)
        atomic_fetch_add(w->graph->progress, 1);
    return true;
}

// ----------------------------------------------------------------------------------------------------------- roots

static void write_root(const gp_root_name *name, void *context) {
    gp_heap_root record = {.header.kind = GP_HEAP_GRAPH_ROOT,
                           .object = name->block + 1,
                           .root_kind = name->kind,
                           .address = name->address,
                           .pc = name->pc,
                           .thread = name->thread};
    gp_write_record(context, &record, sizeof record, NULL, 0);
}

static bool write_roots(struct gp_thread *thread, const gp_heap_graph *graph) {
    const size_t size = gp_set_size(graph->index->count) + 8;
    uint64_t *const wanted = gp_system_pages(size);
    if (!wanted)
        return false;
    memcpy(wanted, graph->marked, gp_set_size(graph->index->count));
    gp_root_names(graph->roots, wanted, write_root, thread);
    gp_system(munmap, wanted, size);
    return true;
}

bool gp_heap_graph_write(struct gp_thread *thread, const gp_heap_graph *graph) {
    writing w = {.thread = thread, .graph = graph};
    w.rows = gp_system_pages(RECORD_BYTES);
    w.edges = gp_system_pages(EDGES_BYTES);
    w.labels.slots = gp_system_pages(SLOTS * sizeof *w.labels.slots);
    if (!w.rows || !w.edges || !w.labels.slots)
        return false;
    flush(&w);
    gp_index_each(graph->index, write_block, &w);
    flush(&w);
    return write_roots(thread, graph);
}
