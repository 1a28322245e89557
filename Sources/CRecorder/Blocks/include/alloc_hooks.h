// What the allocator's entry points tell the recorder. Callers ask gp_recording_decided_on() first.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live_table.h"

struct gp_thread;

// The blocks come from another allocator than glibc's. Set at the first allocation.
extern __attribute__((visibility("hidden"))) bool gp_allocator_is_foreign;

// Has the allocator's entry points follow the state of the recording: called after it is decided that nothing is recorded,
// and after each change of that state. Set at the first allocation; NULL: the entry points are not called.
extern __attribute__((visibility("hidden"))) void (*gp_allocator_choose)(void);

// A block was allocated (NULL is permitted). `how`: GP_HOW_*. pc, sp and fp: the caller's registers as gp_registers has
// them. Returns `block`.
void *gp_on_alloc(void *block, size_t size, uint8_t how, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// A block is about to be freed.
void gp_on_free(void *block);

// A block is about to be reallocated: what must be known of it before.
typedef struct {
    struct gp_thread *thread;
    gp_block block;
    uint32_t type;
    bool known;
} gp_moving_block;

gp_moving_block gp_on_realloc_begin(void *block);

// The reallocation is done: `result` is the new block; NULL when the old one stays as it was, unless it was `freed`.
void *gp_on_realloc_end(gp_moving_block moving, void *result, size_t size, bool freed, uintptr_t pc, uintptr_t sp,
                        uintptr_t fp);
