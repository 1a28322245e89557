// The sampled blocks that live: a hash table by address. No header or tag marks a sampled block, and its pointer is what
// the allocator gave.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live_table.h"
#include "slow_path.h"

struct gp_thread;

enum {
    GP_SAMPLED_BUCKET_BITS = 16,
    GP_SAMPLED_BUCKETS = 1 << GP_SAMPLED_BUCKET_BITS,
    GP_SAMPLED_MOST = 1 << 20,
};

// A bit for each bucket that holds a block: 8 KB, which stay in the processor's first cache between the frees of a program.
extern __attribute__((visibility("hidden"))) uint64_t gp_sampled_marks[GP_SAMPLED_BUCKETS / 64];

static inline uint32_t gp_sampled_bucket(uintptr_t address) {
    return (uint32_t)((address >> 4) * 0x9e3779b97f4a7c15ull >> (64 - GP_SAMPLED_BUCKET_BITS));
}

// False: the block is none of the sampled ones. The owner of a block sees its own insertion.
static inline bool gp_sampled_may_hold(const void *block) {
    const uint32_t bucket = gp_sampled_bucket((uintptr_t)block);
    return GP_UNLIKELY(__atomic_load_n(&gp_sampled_marks[bucket / 64], __ATOMIC_RELAXED) >> bucket % 64 & 1);
}

// These lock: the calling thread is busy, so that no signal handler in it comes here meanwhile.

// False: there is no room for more.
bool gp_sampled_put(const gp_block *block);

// Takes a block out. False: it is not there.
bool gp_sampled_take(uintptr_t address, gp_block *block);

// Copies the blocks of a bucket, at most `capacity`, and returns how many. A bucket has 16 when the table is full.
size_t gp_sampled_copy(uint32_t bucket, gp_block *list, size_t capacity);

// Also in a signal handler that interrupted one of the above. False: the blocks could not be looked at.
bool gp_sampled_each(bool (*visit)(const gp_block *block, void *context), void *context);

// The type of the object in a block that may be freed meanwhile, and its page given back; 0: there is none.
uint32_t gp_sampled_type(struct gp_thread *thread, const gp_block *block);

// What the sampled blocks add up to while the program runs, by stack and type.

// A block was sampled. The calling thread is busy, as it is in the next.
void gp_figures_count_made(size_t size);

// A sampled block is freed. At most 65,536 pairs of stack and type have their own sum; the others have one together.
void gp_figures_count_freed(uint32_t stack, uint32_t type, size_t size);
