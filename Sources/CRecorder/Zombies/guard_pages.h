// Blocks on pages of their own: when such a block dies its page is taken away, so that any use of it faults. Dead pages
// are used again in the order of their deaths once there are too many.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quarantine_slot.h"
#include "zombies.h"

// False: the address space is refused.
bool gp_guard_open(void);

// A zeroed block of at most a page. `room`: how much of it the program may use, at least `size`. NULL: the limits do not
// allow it.
void *gp_guard_make(size_t size, size_t alignment, size_t room);

// How many such blocks live.
uint32_t gp_guard_count_live(void);

static inline bool gp_guard_holds(uintptr_t address) {
    return gp_zombie_is_guarded((const void *)address);
}

// The slot of the page around `address` (in the guarded pages), NULL: it was never used. Its size is the block's;
// its state is GP_GUARD_LIVE or GP_GUARD_DEAD. Of a living block `metadata` is the room.
gp_quarantine_slot *gp_guard_slot(uintptr_t address);

enum { GP_GUARD_UNUSED, GP_GUARD_LIVE, GP_GUARD_DEAD };

// The block dies: `dead` as for the quarantine. The page can no longer be touched, at once or soon (deferred_protection.h).
void gp_guard_quarantine(struct gp_thread *thread, const gp_quarantine_slot *dead);

// Makes the page of a dead block readable again, filled as slot `number` of the quarantine fills its own. False: it is not
// the block's any more, or the kernel refuses.
bool gp_guard_reveal(gp_quarantine_slot *dead, uint32_t number);

typedef struct {
    uint64_t guarded, missed;
    bool reused;  // pages of dead objects were given to others
} gp_guard_counts;

gp_guard_counts gp_guard_count(void);
