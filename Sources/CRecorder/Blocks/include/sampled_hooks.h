// What the allocator's entry points tell the recorder of sampled blocks. Callers ask gp_sampling_takes and
// gp_sampled_may_hold first: all other blocks are the allocator's alone.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampled_blocks.h"

// A block that is sampled was allocated (NULL is permitted). `how`: GP_HOW_*. pc, sp and fp: the caller's registers as
// gp_registers has them. Returns `block`.
void *gp_on_sampled_alloc(void *block, size_t size, uint8_t how, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// A block that may be sampled is about to be freed.
void gp_on_sampled_free(void *block);

// A block that may be sampled is about to be reallocated: what must be known of it before.
typedef struct {
    gp_sampled_block block;
    uint32_t type;
    bool known;
} gp_moving_sample;

gp_moving_sample gp_on_sampled_realloc_begin(void *block);

// The reallocation is done. `stays`: it failed, and the block is where it was.
void gp_on_sampled_realloc_end(const gp_moving_sample *moving, bool stays);

struct gp_thread;

// Writes which sampled blocks live, by type, stack and size. When the recording ends.
void gp_sampled_write_live(struct gp_thread *thread);
