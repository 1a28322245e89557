// Live blocks by type and allocation stack.
#pragma once

#include <stdint.h>

struct gp_thread;

// Writes the GP_HEAP_CENSUS records. Returns how many live blocks are Swift objects.
uint64_t gp_census_write(struct gp_thread *thread);
