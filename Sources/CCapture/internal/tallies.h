// Tallies count the blocks that some code allocates, by type and stack, whatever runs beside it: whose allocation a block
// is, a function of the program's tells at each allocation. A block is counted once, when it is freed (its type is known
// then) or when the tally ends.
#ifndef GP_TALLIES_H
#define GP_TALLIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CCapture.h"
#include "slow_path.h"

struct gp_thread;

// The place of the tally that the calling code belongs to; 0: none. Of a block that is made now.
GP_SLOW_PATH uint16_t gp_tally_here(void);

// A block whose allocation may belong to a tally is freed or moved.
GP_SLOW_PATH void gp_tally_freed(uintptr_t address, uint64_t size, uint32_t stack, uint32_t type);

// What gp_tally_begin and gp_tally_end of CCapture.h promise.
uint64_t gp_tallies_begin(uint64_t (*here)(void));
size_t gp_tallies_end(uint64_t tally, gp_tally_row *rows, size_t capacity, uint64_t *omitted);

#endif
