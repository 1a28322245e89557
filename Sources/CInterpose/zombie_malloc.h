// The malloc family while zombies are recorded.
#ifndef GP_ZOMBIE_MALLOC_H
#define GP_ZOMBIE_MALLOC_H

#include <stddef.h>

#include "stack.h"

void *gp_zombie_malloc(size_t size, gp_registers caller);
void *gp_zombie_calloc(size_t count, size_t size, gp_registers caller);
void *gp_zombie_aligned(size_t alignment, size_t size, gp_registers caller);
void *gp_zombie_realloc(void *block, size_t size, gp_registers caller);
void gp_zombie_free(void *block, gp_registers caller);

#endif
