// Marks divide the allocations of a program into generations: the blocks that are made between two marks.
#pragma once

#include <stdint.h>

enum { GP_GENERATIONS_MOST = 127 };

// How many marks there were.
uint32_t gp_generation_count(void);

// The generation of the live block that starts at `address`; 0: it was made before the first mark.
uint32_t gp_generation_of(uintptr_t address);

// Keeps the ages of blocks from now on, without a mark.
void gp_generations_keep(void);
