// Guarded samples: some of the sampled blocks (block_sampling.h) get a page of their own, which is taken away at their
// deallocation. A use of such a block is reported, its page becomes accessible again with what it held, and the program
// goes on. The page begins with a header as glibc gives a block that it mapped alone: what reads headers, a heap search
// too, sees such a block.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "block_sampling.h"

extern __attribute__((visibility("hidden"))) uint32_t gp_guarded_samples_one_in;

// From now on no block is guarded, and none is out of reach: the program is about to filter its system calls.
void gp_guarded_samples_end(void);

// Whether the block that was just sampled is to be guarded if it fits.
static inline bool gp_guarded_sample_is_due(void) {
    const uint32_t n = __atomic_load_n(&gp_guarded_samples_one_in, __ATOMIC_ACQUIRE);  // the pages are open before
    return n && gp_sampling_chooses_one_in(n);
}

// A guarded block in place of one that the allocator made; zeroed. `room`: usable bytes of that one. pc, sp, fp: the
// caller's registers as gp_registers has them. NULL: it does not fit, or the limits do not allow it.
void *gp_guarded_sample_make(size_t size, size_t alignment, size_t room, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// A guarded block (gp_zombie_is_guarded) is freed. Nothing else may be done with it.
void gp_guarded_sample_free(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// A guarded block is resized: copies what it holds to `target`, of `size` bytes, and frees it.
void gp_guarded_sample_move(void *block, void *target, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
