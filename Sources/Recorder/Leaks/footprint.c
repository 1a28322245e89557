#include "footprint.h"

#include "arena.h"
#include "stale_filters.h"
#include "program_mappings.h"
#include "thread_control_block.h"
#include "TraceFormat.h"
#include "trace_writer.h"

static void write_known(const gp_footprint *footprint, gp_page_table *table, gp_resident_range record) {
    record.header.kind = GP_RESIDENT_RANGE;
    record.resident = gp_resident_bytes(table, record.start, record.end);
    if (record.resident > 0)
        gp_write_record(footprint->thread, &record, sizeof record, NULL, 0);
}

static void write_range(const gp_footprint *footprint, gp_page_table *table, uint8_t kind, uint32_t thread,
                        gp_address_range range) {
    write_known(footprint, table,
                (gp_resident_range){.header.flags = kind, .thread = thread, .start = range.start, .end = range.end});
}

// The kernel names the main thread's.
static void write_stack(const gp_footprint *footprint, gp_page_table *table, const gp_stopped_thread *thread) {
    gp_stack_bounds bounds;
    if (thread->id != footprint->roots->process && thread->thread_pointer &&
        gp_control_block_stack(thread->thread_pointer, &bounds))
        write_range(footprint, table, GP_RANGE_STACK, thread->id,
                    (gp_address_range){bounds.low, bounds.low + bounds.size});
}

static void write_stacks(const gp_footprint *footprint, gp_page_table *table) {
    const gp_stopped_threads *threads = footprint->roots->threads;
    write_stack(footprint, table, footprint->roots->caller);
    for (uint32_t i = 0; i < threads->count; i++)
        if (gp_thread_was_stopped(&threads->threads[i]))
            write_stack(footprint, table, &threads->threads[i]);
    const gp_ended_stacks *ended = footprint->roots->ended;
    for (size_t i = 0; ended && i < ended->count; i++)
        write_range(footprint, table, GP_RANGE_ENDED_STACK, 0, ended->stacks[i].range);
}

static void write_recorder(const gp_footprint *footprint, gp_page_table *table) {
    gp_address_range part = {0, 0};
    for (;;) {
        gp_arena_find(part.end, UINTPTR_MAX, &part.start, &part.end);
        if (part.start == UINTPTR_MAX)
            return;
        write_range(footprint, table, GP_RANGE_RECORDER, 0, part);
    }
}

typedef struct {
    const gp_footprint *footprint;
    gp_page_table *table;
} mapped;

static void write_mapped(uintptr_t start, uintptr_t end, uint32_t stack, void *context) {
    const mapped *to = context;
    write_known(
        to->footprint, to->table,
        (gp_resident_range){.header.flags = GP_RANGE_MAPPED, .stack = stack, .start = start, .end = gp_page_end(end)});
}

void gp_footprint_write(const gp_footprint *footprint) {
    static gp_page_table table;
    table = (gp_page_table){.file = footprint->memory.pagemap};
    if (!gp_process_maps_write(footprint->thread))
        return;
    write_recorder(footprint, &table);
    write_stacks(footprint, &table);
    gp_heap_pages_write(footprint, &table);
    gp_program_mappings_each(write_mapped, &(mapped){footprint, &table});
}
