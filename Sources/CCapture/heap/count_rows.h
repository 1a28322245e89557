// Blocks counted by type and allocation stack.
#ifndef GP_COUNT_ROWS_H
#define GP_COUNT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t type, stack;
    uint64_t count, bytes;
} gp_count_row;

typedef struct {
    gp_count_row *rows;  // in the order of their first blocks
    uint32_t count;
    uint32_t *slots;  // row + 1 by hash, 0: free
    uint32_t capacity;  // of slots, a power of two; twice that of rows
} gp_count_rows;

#define GP_NO_ROW UINT32_MAX

// False: no memory.
bool gp_count_rows_begin(gp_count_rows *rows);

// The position of the row, which is made when it is new and stays the same. GP_NO_ROW: no memory.
uint32_t gp_count_rows_at(gp_count_rows *rows, uint32_t type, uint32_t stack);

void gp_count_rows_end(gp_count_rows *rows);

#endif
