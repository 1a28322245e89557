#include "census.h"

#include <stdbool.h>

#include "../recorder/generations.h"
#include "../recorder/system.h"
#include "TraceFormat.h"
#include "block_size.h"
#include "growth_rows.h"
#include "live_table.h"
#include "swift_types.h"
#include "trace_writer.h"

enum { FIRST_ROWS = 1 << 12 };

typedef struct {
    uint64_t key;  // type << 32 | stack, + 1 so that 0 is free
    uint64_t count, bytes;
} row;

typedef struct {
    struct gp_thread *thread;
    row *rows;
    uint32_t capacity, used;  // capacity: a power of two
    uint64_t swift_objects;
    uint32_t generation;  // whose blocks are counted; 0: all
} census;

static row *row_for(row *rows, uint32_t capacity, uint64_t key) {
    uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (capacity - 1);
    while (rows[at].key && rows[at].key != key)
        at = (at + 1) & (capacity - 1);
    return &rows[at];
}

static bool grow(census *c) {
    row *larger = gp_system_pages((size_t)c->capacity * 2 * sizeof *larger);
    if (!larger)
        return false;
    for (uint32_t i = 0; i < c->capacity; i++)
        if (c->rows[i].key)
            *row_for(larger, c->capacity * 2, c->rows[i].key) = c->rows[i];
    gp_system(munmap, c->rows, c->capacity * sizeof *c->rows);
    c->rows = larger;
    c->capacity *= 2;
    return true;
}

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
    if (c->used * 2 > c->capacity && !grow(c))
        return false;
    uint64_t key = ((uint64_t)type << 32 | block->stack) + 1;
    row *found = row_for(c->rows, c->capacity, key);
    c->used += found->key == 0;
    found->key = key;
    found->count++;
    found->bytes += block->size;
    return true;
}

static bool count_blocks(census *c) {
    c->capacity = FIRST_ROWS;
    c->rows = gp_system_pages(FIRST_ROWS * sizeof(row));
    if (c->rows)
        gp_live_each(count_block, c);
    return c->rows != NULL;
}

static void write_row(const census *c, const row *counted) {
    uint32_t type = (uint32_t)((counted->key - 1) >> 32), stack = (uint32_t)(counted->key - 1);
    if (c->generation) {
        gp_generation record = {.header.kind = GP_GENERATION,
                                .generation = c->generation,
                                .type = type,
                                .stack = stack,
                                .count = counted->count,
                                .bytes = counted->bytes};
        gp_write_record(c->thread, &record, sizeof record, NULL, 0);
        return;
    }
    uintptr_t metadata = type ? gp_type_metadata(type) : 0;
    bool is_class = metadata && *(const uintptr_t *)metadata == 0;
    gp_growth_take((gp_growth_row){type, stack, counted->count, counted->bytes}, is_class);
    gp_heap_census record = {
        .header.kind = GP_HEAP_CENSUS, .type = type, .stack = stack, .count = counted->count, .bytes = counted->bytes};
    gp_write_record(c->thread, &record, sizeof record, NULL, 0);
}

static void write_rows(census *c) {
    for (uint32_t i = 0; i < c->capacity; i++)
        if (c->rows[i].key)
            write_row(c, &c->rows[i]);
    gp_system(munmap, c->rows, c->capacity * sizeof *c->rows);
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
