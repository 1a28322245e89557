// Blocks on pages of their own: when such a block dies its page is taken away, so that any use of it faults. Dead pages
// are used again in the order of their deaths once there are too many.
#ifndef GP_ZOMBIES_GUARD_PAGES_H
#define GP_ZOMBIES_GUARD_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grave.h"
#include "zombies.h"

// False: the address space is refused.
bool gp_guard_open(void);

// A zeroed block of at most a page. NULL: the limits do not allow it.
void *gp_guard_make(size_t size, size_t alignment);

static inline bool gp_guard_holds(uintptr_t address) {
    return gp_zombie_is_guarded((const void *)address);
}

// The grave of the page around `address` (in the guarded pages), NULL: it was never used. Its size is the block's;
// its state is GP_GUARD_LIVE or GP_GUARD_DEAD.
gp_grave *gp_guard_grave(uintptr_t address);

enum { GP_GUARD_UNUSED, GP_GUARD_LIVE, GP_GUARD_DEAD };

// The block dies: `dead` as for the quarantine. The page can no longer be touched, at once or soon (waiting_pages.h).
void gp_guard_bury(struct gp_thread *thread, const gp_grave *dead);

typedef struct {
    uint64_t guarded, missed;
    bool reused;  // pages of dead objects were given to others
} gp_guard_counts;

gp_guard_counts gp_guard_count(void);

#endif
