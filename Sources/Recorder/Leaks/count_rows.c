#include "count_rows.h"

#include "system.h"
#include "TraceFormat.h"
#include "trace_writer.h"

enum { FIRST_BITS = 13 };

static uint32_t capacity(const gp_count_rows *rows) {
    return 1u << rows->slots.bits >> 2;
}

static bool allocate(gp_count_rows *rows, uint32_t bits) {
    rows->slots = (gp_key_table){.stride = sizeof(gp_count_slot), .bits = bits};
    rows->slots.entries = gp_system_pages(sizeof(gp_count_slot) << bits);
    rows->rows = gp_system_pages(capacity(rows) * sizeof *rows->rows);
    return rows->rows && rows->slots.entries;
}

bool gp_count_rows_begin(gp_count_rows *rows) {
    *rows = (gp_count_rows){.count = 0};
    return allocate(rows, FIRST_BITS);
}

static bool grow(gp_count_rows *rows) {
    gp_count_rows larger = {.count = 0};
    if (!allocate(&larger, rows->slots.bits + 1))
        return false;
    for (uint32_t i = 0; i < rows->count; i++)
        larger.rows[gp_count_rows_at(&larger, rows->rows[i].type, rows->rows[i].stack)] = rows->rows[i];
    gp_count_rows_end(rows);
    *rows = larger;
    return true;
}

uint32_t gp_count_rows_at(gp_count_rows *rows, uint32_t type, uint32_t stack) {
    if (rows->count == capacity(rows) && !grow(rows))
        return GP_NO_ROW;
    bool is_new;
    gp_count_slot *slot = gp_key_entry(rows->slots, ((uint64_t)type << 32 | stack) + 1, true, &is_new);
    if (!slot)
        return GP_NO_ROW;
    if (is_new) {
        slot->row = rows->count++;
        rows->rows[slot->row] = (gp_count_row){.type = type, .stack = stack};
    }
    return slot->row;
}

void gp_count_row_write(const gp_count_row *row, struct gp_thread *thread, uint8_t kind) {
    gp_heap_census record = {
        .header.kind = kind, .type = row->type, .stack = row->stack, .count = row->count, .bytes = row->bytes};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

void gp_count_rows_end(const gp_count_rows *rows) {
    gp_system(munmap, rows->rows, capacity(rows) * sizeof *rows->rows);
    gp_system(munmap, rows->slots.entries, sizeof(gp_count_slot) << rows->slots.bits);
}
