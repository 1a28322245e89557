#include "footprint.h"

#include "count_rows.h"
#include "live_table.h"
#include "object_kind.h"
#include "references.h"
#include "swift_types.h"
#include "TraceFormat.h"

// Bytes of one collection.
enum { LEAST = 64 << 10 };

typedef struct {
    const gp_footprint *footprint;
    gp_page_table *table;
    gp_count_rows rows;
} search;

static uint64_t unused_bytes(search *s, uintptr_t object, size_t usable) {
    gp_storage_room room;
    if (gp_object_kind_at(object, usable)->kind != GP_TYPE_CLASS || !gp_storage_room_of(object, usable, &room))
        return 0;
    const double share = (double)room.unused / (double)room.places;
    return (uint64_t)(share * (double)gp_resident_bytes(s->table, room.start, room.end));
}

static bool look_at(uint32_t block, uintptr_t start, void *context) {
    (void)block;
    search *s = context;
    const size_t usable = gp_block_usable(start);
    const uint64_t bytes = usable < LEAST ? 0 : unused_bytes(s, start, usable);
    gp_block known;
    if (bytes < LEAST || !gp_live_get(start, &known))
        return true;
    const uint32_t type = gp_type_id(s->footprint->thread, *(const uintptr_t *)start, known.size);
    const uint32_t row = gp_count_rows_at(&s->rows, type, known.stack);
    if (row == GP_NO_ROW)
        return false;
    s->rows.rows[row].count++;
    s->rows.rows[row].bytes += bytes;
    return true;
}

void gp_unused_capacity_write(const gp_footprint *footprint, gp_page_table *table) {
    search s = {.footprint = footprint, .table = table};
    if (!gp_count_rows_begin(&s.rows))
        return;
    gp_index_each(footprint->index, look_at, &s);
    for (uint32_t i = 0; i < s.rows.count; i++)
        gp_count_row_write(&s.rows.rows[i], footprint->thread, GP_HEAP_UNUSED);
    gp_count_rows_end(&s.rows);
}
