// Pages that sampled and guarded blocks get, and what becomes of them: fresh pages first, then those that nobody may touch
// any more, in the order in which they were taken away. All of it is done under the guard's lock.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "quarantine.h"
#include "zombies.h"

enum { GP_GUARD_PAGE = GP_PAGE, GP_GUARD_PAGES = 1 << 17 };

// How many bytes of addresses they take.
#define GP_GUARD_SPACE ((uint64_t)GP_GUARD_PAGES * GP_GUARD_PAGE)

// So many pages that were taken away keep their memory: hurried blocks get them again without the kernel making new.
enum { GP_GUARD_RECENT_MOST = 1024 };

// `start`: so many pages, at most GP_GUARD_PAGES, that nobody may touch. False: there is no memory for the lists.
bool gp_pages_open(uintptr_t start, uint32_t count);

// A page that can be touched, −1: none. `hurried`: rather one whose memory is still there than the one that was taken away
// first; its bytes are then not zero.
int64_t gp_pages_take(bool hurried);

// Takes pages away from the program, neighbours together, and sorts `pages`. Returns how many could not be, because
// mappings have run out: such a page cannot be divided from its neighbours.
uint32_t gp_pages_take_away(uint32_t *pages, uint32_t count);

// Whether the page was taken away and is not ready for another block yet.
bool gp_page_is_away(uint32_t page);

// What the program may do with the page at `address`, which was taken away, until it is used again. False: the kernel refuses.
bool gp_page_make_writable(uintptr_t address);
bool gp_page_make_readable(uintptr_t address);

// Gives all pages back to whoever touches them; from then on nothing here asks the kernel. Whoever has the guard's lock.
void gp_pages_open_for_good(void);

static inline uintptr_t gp_page_address(uint32_t page) {
    return gp_guard_start + (uintptr_t)page * GP_GUARD_PAGE;
}

// Blocks on guarded pages: when such a block is freed its page is taken away, so that any use of it faults. These pages are
// used again in the order in which they were taken away once there are too many.

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
