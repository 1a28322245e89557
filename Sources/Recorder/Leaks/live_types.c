#include "count_rows.h"

#include "swift_types.h"
#include "TraceFormat.h"
#include "trace_writer.h"

typedef struct {
    struct gp_thread *thread;
    gp_count_rows rows;
} counting;

uint32_t gp_block_type(struct gp_thread *thread, const gp_block *block) {
    // A link map begins with the address of an image that may be gone.
    const bool may_be_object = !(block->flags & GP_BLOCK_LOADER) && block->size >= 16 && !(block->address & 15);
    return may_be_object ? gp_type_id(thread, *(const uintptr_t *)block->address, block->size) : 0;
}

static bool count_block(const gp_block *block, void *context) {
    counting *c = context;
    if (block->flags & GP_BLOCK_RECORDER)
        return true;
    const uint32_t row = gp_count_rows_at(&c->rows, gp_block_type(c->thread, block), block->stack);
    if (row == GP_NO_ROW)
        return false;
    c->rows.rows[row].count++;
    c->rows.rows[row].bytes += block->size;
    return true;
}

void gp_live_types_write(struct gp_thread *thread) {
    counting c = {.thread = thread};
    if (!gp_count_rows_begin(&c.rows))
        return;
    gp_live_each(count_block, &c);
    for (uint32_t i = 0; i < c.rows.count; i++)
        gp_count_row_write(&c.rows.rows[i], thread, GP_LIVE_TYPE);
    gp_count_rows_end(&c.rows);
}
