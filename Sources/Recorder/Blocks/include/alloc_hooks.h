// What the allocator's entry points tell the recorder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instrument.h"
#include "live_table.h"
#include "sampled_blocks.h"
#include "slow_path.h"

struct gp_thread;

// The blocks come from another allocator than glibc's. Set at the first allocation.
extern __attribute__((visibility("hidden"))) bool gp_allocator_is_foreign;

// And none of those whose heap can be searched.
extern __attribute__((visibility("hidden"))) bool gp_allocator_is_unknown;

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

// The hooks where blocks are sampled and yet all of them must be known, for a search of the whole heap: those that are not
// sampled stand in the live table without a stack, and in no record. Callers ask gp_recording_is_on() first.

// A block was allocated (NULL is permitted); otherwise as gp_on_alloc. `takes`: it is sampled.
void *gp_on_known_alloc(void *block, size_t size, uint8_t how, bool takes, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// A block is about to be freed.
void gp_on_known_free(void *block);

// The free of a sampled block is about to be written by its thread.
void gp_known_free_begins(struct gp_thread *thread, const void *block);

// The hooks of sampled blocks. Callers ask gp_sampling_takes and gp_sampled_may_hold first: all other blocks are the
// allocator's alone.

// A block that is sampled was allocated (NULL is permitted). `how`: GP_HOW_*. pc, sp and fp: the caller's registers as
// gp_registers has them. Returns `block`.
void *gp_on_sampled_alloc(void *block, size_t size, uint8_t how, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// A block that may be sampled is about to be freed.
void gp_on_sampled_free(void *block);

// A block that may be sampled is about to be reallocated: what must be known of it before.
typedef struct {
    gp_block block;
    uint32_t type;
    bool known;
} gp_moving_sample;

gp_moving_sample gp_on_sampled_realloc_begin(void *block);

// The reallocation is done. `stays`: it failed, and the block is where it was.
void gp_on_sampled_realloc_end(const gp_moving_sample *moving, bool stays);

// Writes which sampled blocks live, by type, stack and size: GP_SAMPLED_LIVE when the recording ends, GP_LIVE_TYPE `at_crash`.
void gp_sampled_write_live(struct gp_thread *thread, bool at_crash);

// Who asks to be told of each object that is freed.

typedef void gp_object_death(struct gp_thread *thread, uintptr_t object, uint32_t type, uint32_t stack);

// Set before the program's own code runs; NULL: nobody asks.
extern __attribute__((visibility("hidden"))) gp_object_death *gp_object_death_observer;

// An object is freed. `type`: of a GP_TYPE record, 0: none. Costs a load while nobody asks.
static inline void gp_object_died(struct gp_thread *thread, uintptr_t object, uint32_t type, uint32_t stack) {
    if (__builtin_expect(gp_object_death_observer && type, 0))
        gp_object_death_observer(thread, object, type, stack);
}

// Scoped counters count the blocks that some code allocates, by type and stack, whatever runs beside it: whose allocation a
// block is, a function of the program's returns at each allocation. A block is counted once, when it is freed (its type is
// known then) or when the counter ends.

// A block whose allocation may belong to a counter is freed or moved.
GP_SLOW_PATH void gp_counter_freed(uintptr_t address, uint64_t size, uint32_t stack, uint32_t type);
