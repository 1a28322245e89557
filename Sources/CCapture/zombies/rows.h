// The graves of the quarantine in rows. A thread fills a row of its own without a lock; full rows wait in the order in
// which they were filled, and the oldest is used again, grave by grave.
#ifndef GP_ZOMBIES_ROWS_H
#define GP_ZOMBIES_ROWS_H

#include <stdbool.h>
#include <stdint.h>

// Of the graves 0 ..< graves, in rows of which none is empty. `bytes`: how many the blocks of all waiting rows may have.
// False: no memory.
bool gp_rows_open(uint32_t graves, uint64_t bytes);

// How many graves a row has; the row's first grave is its number times that.
uint32_t gp_row_length(void);

// A row that is full waits.
void gp_row_wait(uint32_t row, uint64_t bytes);

// The oldest row, if what waits has too many bytes: its blocks are to be given back. False: nothing is too much.
bool gp_row_take_excess(uint32_t *row);

// The oldest row, whose blocks are to be given back. False: no row waits.
bool gp_row_take_oldest(uint32_t *row);

// A row that was taken has no blocks any more.
void gp_row_put_empty(uint32_t row);

// A row to fill: one without blocks, or the oldest with what it holds. `bytes`: of its blocks. False: other threads are
// filling them all.
bool gp_row_take(uint32_t *row, uint64_t *bytes);

#endif
