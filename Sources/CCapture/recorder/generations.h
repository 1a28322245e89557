// Marks divide the allocations of a program into generations: the blocks that are made between two marks.
#ifndef GP_GENERATIONS_H
#define GP_GENERATIONS_H

#include <stdbool.h>
#include <stdint.h>

struct gp_thread;

enum { GP_GENERATIONS_MOST = 127 };

// Begins a generation and writes its GP_MARK. False: there are as many as can be told apart.
bool gp_generation_begin(struct gp_thread *thread, const char *name);

// How many marks there were.
uint32_t gp_generation_count(void);

// The generation of the live block that starts at `address`; 0: it was made before the first mark.
uint32_t gp_generation_of(uintptr_t address);

// Keeps the ages of blocks from now on, without a mark.
void gp_generations_keep(void);

#endif
