#include "live_types.h"

#include <stddef.h>

#include "key_table.h"
#include "swift_types.h"
#include "system.h"
#include "TraceFormat.h"
#include "trace_writer.h"

enum { ROW_BITS = 16 };

typedef struct {
    uint64_t type_and_stack;  // and one, so that it is never 0
    uint64_t count, bytes;
} row;

typedef struct {
    struct gp_thread *thread;
    gp_key_table rows;
} counting;

uint32_t gp_block_type(struct gp_thread *thread, const gp_block *block) {
    // A link map begins with the address of an image that may be gone.
    const bool may_be_object = !(block->flags & GP_BLOCK_LOADER) && block->size >= 16 && !(block->address & 15);
    return may_be_object ? gp_type_id(thread, *(const uintptr_t *)block->address, block->size) : 0;
}

static void write_row(struct gp_thread *thread, const row *row) {
    const uint64_t type_and_stack = row->type_and_stack - 1;
    gp_heap_census record = {.header.kind = GP_LIVE_TYPE,
                             .type = (uint32_t)(type_and_stack >> 32),
                             .stack = (uint32_t)type_and_stack,
                             .count = row->count,
                             .bytes = row->bytes};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

static bool count_block(const gp_block *block, void *context) {
    const counting *c = context;
    if (block->flags & GP_BLOCK_RECORDER)
        return true;
    row alone = {.type_and_stack = ((uint64_t)gp_block_type(c->thread, block) << 32 | block->stack) + 1};
    row *const common = gp_key_claim(c->rows, alone.type_and_stack);
    row *const counted = common ? common : &alone;
    counted->count++;
    counted->bytes += block->size;
    if (!common)
        write_row(c->thread, &alone);
    return true;
}

void gp_live_types_write(struct gp_thread *thread) {
    row *const rows = gp_system_pages(sizeof *rows << ROW_BITS);
    if (!rows)
        return;
    counting c = {thread, {.entries = rows, .stride = sizeof *rows, .bits = ROW_BITS}};
    gp_live_each(count_block, &c);
    for (size_t i = 0; i < (size_t)1 << ROW_BITS; i++)
        if (rows[i].count)
            write_row(thread, &rows[i]);
    gp_system(munmap, rows, sizeof *rows << ROW_BITS);
}
