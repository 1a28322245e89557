// Where the objects are freed that a stack allocates: of each such stack the first one, for whoever looks for a missing call.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "slow_path.h"

struct gp_thread;

// Ids of stacks beyond are passed by.
enum { GP_FIRST_FREE_STACKS = 1 << 17 };

extern __attribute__((visibility("hidden"))) uint8_t gp_first_frees[GP_FIRST_FREE_STACKS / 8];

// No object of that stack was freed before.
static inline bool gp_first_free_is_due(uint32_t stack) {
    return stack < GP_FIRST_FREE_STACKS &&
           !(__atomic_load_n(&gp_first_frees[stack / 8], __ATOMIC_RELAXED) >> (stack % 8) & 1);
}

// An object of that stack is freed. To be called behind the event, which may join the one that the thread wrote last.
GP_SLOW_PATH void gp_first_free_write(struct gp_thread *thread, uint32_t stack);
