#include "count_rows.h"

#include <string.h>

#include "../recorder/system.h"

enum { FIRST_CAPACITY = 1 << 13 };

static bool allocate(gp_count_rows *rows, uint32_t capacity) {
    rows->capacity = capacity;
    rows->rows = gp_system_pages(capacity / 2 * sizeof *rows->rows);
    rows->slots = gp_system_pages(capacity * sizeof *rows->slots);
    return rows->rows && rows->slots;
}

bool gp_count_rows_begin(gp_count_rows *rows) {
    *rows = (gp_count_rows){.count = 0};
    return allocate(rows, FIRST_CAPACITY);
}

static uint32_t *slot_of(const gp_count_rows *rows, uint32_t type, uint32_t stack) {
    uint64_t key = (uint64_t)type << 32 | stack;
    uint32_t at = (uint32_t)((key + 1) * 0x9e3779b97f4a7c15ull >> 32) & (rows->capacity - 1);
    while (rows->slots[at] &&
           (rows->rows[rows->slots[at] - 1].type != type || rows->rows[rows->slots[at] - 1].stack != stack))
        at = (at + 1) & (rows->capacity - 1);
    return &rows->slots[at];
}

static bool grow(gp_count_rows *rows) {
    gp_count_rows larger = {.count = rows->count};
    if (!allocate(&larger, rows->capacity * 2))
        return false;
    memcpy(larger.rows, rows->rows, rows->count * sizeof *rows->rows);
    for (uint32_t i = 0; i < rows->count; i++)
        *slot_of(&larger, rows->rows[i].type, rows->rows[i].stack) = i + 1;
    gp_count_rows_end(rows);
    *rows = larger;
    return true;
}

uint32_t gp_count_rows_at(gp_count_rows *rows, uint32_t type, uint32_t stack) {
    uint32_t *slot = slot_of(rows, type, stack);
    if (*slot)
        return *slot - 1;
    if (rows->count == rows->capacity / 2) {
        if (!grow(rows))
            return GP_NO_ROW;
        slot = slot_of(rows, type, stack);
    }
    rows->rows[rows->count] = (gp_count_row){.type = type, .stack = stack};
    *slot = ++rows->count;
    return *slot - 1;
}

void gp_count_rows_end(gp_count_rows *rows) {
    gp_system(munmap, rows->rows, rows->capacity / 2 * sizeof *rows->rows);
    gp_system(munmap, rows->slots, rows->capacity * sizeof *rows->slots);
}
