// Blocks on guarded pages: when such a block is freed its page is taken away, so that any use of it faults. These pages are
// used again in the order in which they were taken away once there are too many.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quarantine.h"
#include "zombies.h"

// False: the address space is refused.
bool gp_guard_open(void);

// The same with so many pages at `start`, which nobody may touch, of which at most `most` hold living blocks.
bool gp_guard_open_at(uintptr_t start, uint32_t pages, uint32_t most);

// A zeroed block of at most a page, `lead` bytes behind the page's beginning. `room`: how much of it the program may use,
// at least `size`. NULL: the limits do not allow it.
void *gp_guard_make(size_t lead, size_t size, size_t alignment, size_t room);

// How many such blocks live.
uint32_t gp_guard_count_live(void);

static inline bool gp_guard_holds(uintptr_t address) {
    return gp_zombie_is_guarded((const void *)address);
}

// The slot of the page around `address` (in the guarded pages), NULL: it was never used. Its size is the block's;
// its state is one of those below. Of a living block `metadata` is the room.
gp_quarantine_slot *gp_guard_slot(uintptr_t address);

// DEAD: freed; DYING: between the two. OPENED: it was freed, and the program may use the page again.
enum { GP_GUARD_UNUSED, GP_GUARD_LIVE, GP_GUARD_DYING, GP_GUARD_DEAD, GP_GUARD_OPENED };

// The block is freed: `dead` as for the quarantine. The page can no longer be touched, at once or soon (deferred protection).
void gp_guard_quarantine(struct gp_thread *thread, const gp_quarantine_slot *dead);

// Makes the page of a dead block readable again, filled as slot `number` of the quarantine fills its own. False: it is not
// the block's any more, or the kernel refuses.
bool gp_guard_reveal(gp_quarantine_slot *dead, uint32_t number);

// No page is ever out of reach again, and no system call is made for one. Async-signal-safe.
void gp_guard_open_for_good(void);

// Lets the program use the page around `address` again, as it was when its block died, and gives it to no other block.
// Lock-free, for a fault's handler. `*is_first`: it was taken away until now. False: the kernel refuses.
bool gp_guard_open_page(uintptr_t address, bool *is_first);

typedef struct {
    uint64_t guarded, missed;
    bool reused;  // pages of dead objects were given to others
} gp_guard_counts;

gp_guard_counts gp_guard_count(void);

// From now on objects are chosen for such pages without being asked for (allocation.c).
void gp_guard_choose(void);

extern __attribute__((visibility("hidden"))) bool gp_guard_chooses;
