// Pages that sampled and guarded blocks get, and what becomes of them: fresh pages first, then those that nobody may touch
// any more, in the order in which they were taken away. All of it is done under the guard's lock.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
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
