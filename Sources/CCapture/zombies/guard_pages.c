#include "guard_pages.h"

#include <sched.h>
#include <stdatomic.h>

#include "../recorder/system.h"
#include "zombies.h"

// Each page that can be touched lies between two that cannot: a mapping each. The kernel permits 65,530 of them.
enum { PAGE = 4096, PAGES = 1 << 17, LIVE_MOST = 1 << 14 };

uintptr_t gp_guard_start, gp_guard_size;
static gp_grave *graves;  // by page
static uint32_t *dead;  // a ring of pages, oldest first
static uint64_t dead_first, dead_end;
static uint32_t next_fresh, live;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic uint64_t guarded, missed;

static void enter(void) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        sched_yield();
}

static void leave(void) {
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

static bool refused(long address) {
    return address < 0 && address > -4096;
}

bool gp_guard_open(void) {
    long address =
        gp_system(mmap, 0, (uint64_t)PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    graves = gp_system_pages(PAGES * sizeof(gp_grave));
    dead = gp_system_pages(PAGES * sizeof *dead);
    if (refused(address) || !graves || !dead)
        return false;
    gp_guard_start = (uintptr_t)address;
    gp_guard_size = (uintptr_t)PAGES * PAGE;
    return true;
}

// A page for a new block, −1: none.
static int64_t take_page(void) {
    int64_t page = -1;
    enter();
    if (live < LIVE_MOST) {
        if (next_fresh < PAGES)
            page = next_fresh++;
        else if (dead_first < dead_end)
            page = dead[dead_first++ % PAGES];
        live += page >= 0;
    }
    leave();
    return page;
}

static void put_back(uint32_t page) {
    enter();
    dead[dead_end++ % PAGES] = page;
    live--;
    leave();
}

void *gp_guard_make(size_t size, size_t alignment) {
    if (!gp_guard_size)
        return NULL;
    int64_t page = size <= PAGE && alignment <= PAGE ? take_page() : -1;
    if (page < 0) {
        gp_guard_miss();
        return NULL;
    }
    void *block = (void *)(gp_guard_start + (uintptr_t)page * PAGE);
    if (gp_system(mprotect, block, PAGE, PROT_READ | PROT_WRITE) < 0) {
        put_back((uint32_t)page);
        gp_guard_miss();
        return NULL;
    }
    graves[page] = (gp_grave){.state = GP_GUARD_LIVE, .address = (uintptr_t)block, .size = size};
    atomic_fetch_add_explicit(&guarded, 1, memory_order_relaxed);
    return block;
}

gp_grave *gp_guard_grave(uintptr_t address) {
    gp_grave *grave = &graves[(address - gp_guard_start) / PAGE];
    return grave->state == GP_GUARD_UNUSED ? NULL : grave;
}

// Mapped anew, the page's memory is given back and its mapping joins its neighbours'.
void gp_guard_bury(const gp_grave *block) {
    uint32_t page = (uint32_t)((block->address - gp_guard_start) / PAGE);
    uint64_t size = graves[page].size;
    graves[page] = *block;
    graves[page].size = size;
    __atomic_store_n(&graves[page].state, GP_GUARD_DEAD, __ATOMIC_RELEASE);
    long address = gp_system(mmap, block->address, PAGE, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (refused(address))
        gp_system(mprotect, block->address, PAGE, PROT_NONE);
    put_back(page);
}

void gp_guard_miss(void) {
    atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed);
}

gp_guard_counts gp_guard_count(void) {
    return (gp_guard_counts){atomic_load(&guarded), atomic_load(&missed)};
}
