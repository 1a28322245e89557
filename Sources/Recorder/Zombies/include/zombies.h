// Zombies: freed blocks are kept for a while, filled with addresses that nobody may touch, so that whoever uses one stops at an
// address that says which block it was and which word of it. Some blocks have guarded pages instead: see
// Documentation/LifeOfABlock.md.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "instrument.h"
#include "stack.h"

struct gp_thread;

// Set while the zombies instrument records: the allocator's entry points then go through the functions below.
extern __attribute__((visibility("hidden"))) bool gp_zombies_on;

// Set when only sampled objects are watched: all other blocks go straight to the allocator.
extern __attribute__((visibility("hidden"))) bool gp_zombies_sampled_only;

// Allocations of this thread since the last that was sampled, and how many there are to be.
extern __thread __attribute__((tls_model("initial-exec"), visibility("hidden"))) uint32_t gp_zombie_since_sample;
extern __attribute__((visibility("hidden"))) uint32_t gp_zombie_sample_every;

// Whether this allocation's turn has come to be sampled.
static inline bool gp_zombie_is_sampled(void) {
    return ++gp_zombie_since_sample >= gp_zombie_sample_every;
}

// Whether blocks may get pages of their own: gp_zombie_guarded_block is then asked before the allocator.
extern __attribute__((visibility("hidden"))) bool gp_zombies_guard;

// A block on pages of its own, if this one is to have them; NULL: the allocator shall make it. Zeroed. `sp`: the
// caller's registers are searched from here outwards for the type that is being made.
void *gp_zombie_guarded_block(size_t size, size_t alignment, uintptr_t sp);

// A block was made. Returns it. pc, sp, fp: as gp_registers has them, in registers.
void *gp_zombie_born(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// The same of a block that nothing was written to and that is aligned to at most a page. Returns it, or one on pages of its
// own that it was given back for.
void *gp_zombie_made(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                     void (*give_back)(void *block));

typedef enum {
    GP_QUARANTINED,  // it is kept: the allocator must not see it
    GP_NOT_OURS,  // the allocator shall free it
    GP_DIED_TWICE,  // it was quarantined already: free it twice, so that the allocator speaks
} gp_quarantine_result;

// A block is freed. `give_back`: the allocator's free, for blocks that leave the quarantine.
gp_quarantine_result gp_zombie_quarantine(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                                          void (*give_back)(void *block));

// The allocator has no memory for so many bytes: some quarantined blocks go back to it. False: there are none, or they
// would not do.
bool gp_zombie_make_room(size_t size, void (*give_back)(void *block));

enum { GP_RESIZE_LIVES, GP_RESIZE_UNKNOWN, GP_RESIZE_DEAD };

// A block is about to be resized; reports when it is quarantined. Returns GP_RESIZE_*.
int gp_zombie_resized(void *block, gp_registers caller);

// The program is about to abort: when the runtime refused to load an unowned reference, says to which object.
void gp_zombie_aborting(gp_registers caller);

extern __attribute__((visibility("hidden"))) uintptr_t gp_guard_start, gp_guard_size;

// The block of a guarded page; also when nothing is recorded any more.
static inline bool gp_zombie_is_guarded(const void *block) {
    return (uintptr_t)block - gp_guard_start < gp_guard_size;
}

// Usable size of a guarded block.
size_t gp_zombie_guarded_size(const void *block);
