// Tallies count the blocks that some code allocates, by type and stack, whatever runs beside it: whose allocation a block
// is, a function of the program's tells at each allocation. A block is counted once, when it is freed (its type is known
// then) or when the tally ends.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CCapture.h"
#include "slow_path.h"

struct gp_thread;

// A block whose allocation may belong to a tally is freed or moved.
GP_SLOW_PATH void gp_counter_freed(uintptr_t address, uint64_t size, uint32_t stack, uint32_t type);

// What gp_counter_begin and gp_counter_end of CCapture.h promise.
uint64_t gp_counters_begin(uint64_t (*here)(void));
size_t gp_counters_end(uint64_t tally, gp_counter_row *rows, size_t capacity, uint64_t *omitted);
