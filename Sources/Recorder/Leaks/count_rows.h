// Blocks counted by type and allocation stack.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key_table.h"

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

// Live blocks by type and allocation stack.

// Writes the GP_HEAP_CENSUS records. Returns how many live blocks are Swift objects.
uint64_t gp_census_write(struct gp_thread *thread);

// Writes the same rows as GP_LIVE_TYPE records, which belong to no snapshot.
void gp_census_write_types(struct gp_thread *thread);

// Which live blocks may be growth, by type and allocation stack: those whose number rose from each repetition of a scenario
// to the next, and at exit those that are many. Their paths from a root are reported without being asked for.

// Makes the memory in which each snapshot's child finds what the one before it counted. In the recorded process.
void gp_growth_prepare(void);

// A snapshot's count begins. `name`: a repetition's ("game #3", or the same for each); NULL or a name of the recorder's
// own: none. In the frozen child, as all that follows.
void gp_growth_begin(const char *name, bool at_exit);

// Takes a row of the census. `is_class`: its blocks are instances of a class.
void gp_growth_take(gp_count_row row, bool is_class);

// The rows that may grow; `*count` of them.
const gp_count_row *gp_growth_rows(size_t *count);
