
#include <stdbool.h>

#include "generations.h"
#include "TraceFormat.h"
#include "count_rows.h"
#include "live_table.h"
#include "swift_types.h"
#include "trace_writer.h"

typedef struct {
    struct gp_thread *thread;
    gp_count_rows rows;
    uint64_t swift_objects;
    uint32_t generation;  // whose blocks are counted; 0: all
} census;

static bool count_block(const gp_block *block, void *context) {
    census *c = context;
    if (block->flags & GP_BLOCK_RECORDER)
        return true;
    if (c->generation && gp_generation_of(block->address) != c->generation)
        return true;
    uint32_t type = 0;
    bool loader = block->flags & GP_BLOCK_LOADER;  // a link map begins with the address of an image that may be gone
    if (!loader && block->size >= 16 && !(block->address & 15))
        type = gp_type_id(c->thread, *(const uintptr_t *)block->address, block->size);
    c->swift_objects += type != 0;
    uint32_t row = gp_count_rows_at(&c->rows, type, block->stack);
    if (row == GP_NO_ROW)
        return false;
    c->rows.rows[row].count++;
    c->rows.rows[row].bytes += block->size;
    return true;
}

static bool count_blocks(census *c) {
    if (!gp_count_rows_begin(&c->rows))
        return false;
    gp_live_each(count_block, c);
    return true;
}

static void write_row(const census *c, const gp_count_row *row) {
    if (c->generation) {
        gp_generation record = {.header.kind = GP_GENERATION,
                                .generation = c->generation,
                                .type = row->type,
                                .stack = row->stack,
                                .count = row->count,
                                .bytes = row->bytes};
        gp_write_record(c->thread, &record, sizeof record, NULL, 0);
        return;
    }
    uintptr_t metadata = row->type ? gp_type_metadata(row->type) : 0;
    bool is_class = metadata && *(const uintptr_t *)metadata == 0;
    gp_growth_take(*row, is_class);
    gp_count_row_write(row, c->thread, GP_HEAP_CENSUS);
}

static void write_rows(census *c) {
    for (uint32_t i = 0; i < c->rows.count; i++)
        write_row(c, &c->rows.rows[i]);
    gp_count_rows_end(&c->rows);
}

void gp_census_write_types(struct gp_thread *thread) {
    census all = {.thread = thread};
    if (!count_blocks(&all))
        return;
    for (uint32_t i = 0; i < all.rows.count; i++)
        gp_count_row_write(&all.rows.rows[i], thread, GP_LIVE_TYPE);
    gp_count_rows_end(&all.rows);
}

uint64_t gp_census_write(struct gp_thread *thread) {
    census all = {.thread = thread};
    if (!count_blocks(&all))
        return 0;
    write_rows(&all);
    for (uint32_t generation = 1; generation <= gp_generation_count(); generation++) {
        census one = {.thread = thread, .generation = generation};
        if (count_blocks(&one))
            write_rows(&one);
    }
    return all.swift_objects;
}
