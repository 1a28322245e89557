// Blocks counted by type and allocation stack.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key_table.h"
#include "live_table.h"

struct gp_thread;

typedef struct {
    uint32_t type, stack;
    uint64_t count, bytes;
} gp_count_row;

typedef struct {
    uint64_t key;  // of type and stack
    uint32_t row;
} gp_count_slot;

typedef struct {
    gp_count_row *rows;  // in the order of their first blocks
    uint32_t count;
    gp_key_table slots;  // four for each row that there is room for
} gp_count_rows;

#define GP_NO_ROW UINT32_MAX

// False: no memory.
bool gp_count_rows_begin(gp_count_rows *rows);

// The position of the row, which is made when it is new and stays the same. GP_NO_ROW: no memory.
uint32_t gp_count_rows_at(gp_count_rows *rows, uint32_t type, uint32_t stack);

// A gp_heap_census of this kind.
void gp_count_row_write(const gp_count_row *row, struct gp_thread *thread, uint8_t kind);

void gp_count_rows_end(const gp_count_rows *rows);

// The type of the object in a live block, 0: there is none.
uint32_t gp_block_type(struct gp_thread *thread, const gp_block *block);

// Writes the live blocks by type and allocation stack as GP_LIVE_TYPE records, which belong to no snapshot.
void gp_live_types_write(struct gp_thread *thread);
