#include "guard_pages.h"

#include <stdatomic.h>

#include "lock.h"
#include "../recorder/system.h"
#include "zombies.h"

// Each page that can be touched lies between two that cannot: a mapping each. The kernel permits 65,530 of them.
enum { PAGE = 4096, PAGES = 1 << 17, LIVE_MOST = 1 << 14 };

// A call of the kernel makes so many pages ready, or gives back the memory of so many.
enum { MADE_TOGETHER = 16, RELEASED_TOGETHER = 64 };

uintptr_t gp_guard_start, gp_guard_size;
static gp_grave *graves;  // by page
static uint32_t *dead;  // a ring of pages, oldest first
static uint64_t dead_first, dead_released, dead_end;  // those before dead_released have no memory any more
static uint32_t ready[MADE_TOGETHER], ready_count;  // pages that can be touched and are nobody's yet; the last is next
static uint32_t next_fresh, live;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic uint64_t guarded, missed;

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

static bool protect(uint32_t page, uint32_t count, int protection) {
    return gp_system(mprotect, gp_guard_start + (uintptr_t)page * PAGE, (uintptr_t)count * PAGE, protection) >= 0;
}

// So many pages in a row, from `first` on, that no block has: fresh ones, then the oldest dead ones.
static uint32_t take_row(uint32_t *first) {
    uint32_t count = PAGES - next_fresh < MADE_TOGETHER ? PAGES - next_fresh : MADE_TOGETHER;
    *first = next_fresh;
    if (count > 0) {
        next_fresh += count;
        return count;
    }
    if (dead_first == dead_released)
        return 0;
    *first = dead[dead_first++ % PAGES];
    for (count = 1; count < MADE_TOGETHER && dead_first < dead_released; count++, dead_first++)
        if (dead[dead_first % PAGES] != *first + count)
            break;
    return count;
}

static void make_ready(void) {
    uint32_t first, count = take_row(&first);
    if (count > 0 && !protect(first, count, PROT_READ | PROT_WRITE)) {
        for (uint32_t i = 0; i < count; i++)
            dead[dead_end++ % PAGES] = first + i;
        return;
    }
    if (count > 1)
        gp_system(madvise, gp_guard_start + (uintptr_t)first * PAGE, (uintptr_t)count * PAGE, MADV_POPULATE_WRITE);
    for (uint32_t i = count; i > 0; i--)
        ready[ready_count++] = first + i - 1;
}

// A page for a new block, −1: none.
static int64_t take_page(void) {
    int64_t page = -1;
    gp_lock_enter(&lock);
    if (ready_count == 0 && live < LIVE_MOST)
        make_ready();
    if (ready_count > 0 && live < LIVE_MOST) {
        page = ready[--ready_count];
        live++;
    }
    gp_lock_leave(&lock);
    return page;
}

// Gives back the memory of the pages that died last, a call for each row of neighbours.
static void release(void) {
    uint32_t pages[RELEASED_TOGETHER], count = 0;
    for (; dead_released < dead_end && count < RELEASED_TOGETHER; dead_released++, count++) {
        uint32_t page = dead[dead_released % PAGES], place = count;
        for (; place > 0 && pages[place - 1] > page; place--)
            pages[place] = pages[place - 1];
        pages[place] = page;
    }
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && pages[end] == pages[end - 1] + 1;)
            end++;
        gp_system(madvise, gp_guard_start + (uintptr_t)pages[first] * PAGE, (uintptr_t)(end - first) * PAGE,
                  MADV_DONTNEED);
    }
}

static void put_back(uint32_t page) {
    gp_lock_enter(&lock);
    dead[dead_end++ % PAGES] = page;
    live--;
    if (dead_end - dead_released >= RELEASED_TOGETHER)
        release();
    gp_lock_leave(&lock);
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
    graves[page] = (gp_grave){.state = GP_GUARD_LIVE, .address = (uintptr_t)block, .size = size};
    atomic_fetch_add_explicit(&guarded, 1, memory_order_relaxed);
    return block;
}

gp_grave *gp_guard_grave(uintptr_t address) {
    gp_grave *grave = &graves[(address - gp_guard_start) / PAGE];
    return grave->state == GP_GUARD_UNUSED ? NULL : grave;
}

void gp_guard_bury(const gp_grave *block) {
    uint32_t page = (uint32_t)((block->address - gp_guard_start) / PAGE);
    uint64_t size = graves[page].size;
    graves[page] = *block;
    graves[page].size = size;
    __atomic_store_n(&graves[page].state, GP_GUARD_DEAD, __ATOMIC_RELEASE);
    // Where mappings have run out the page cannot be divided from its neighbours.
    if (!protect(page, 1, PROT_NONE))
        gp_guard_miss();
    put_back(page);
}

void gp_guard_miss(void) {
    atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed);
}

gp_guard_counts gp_guard_count(void) {
    return (gp_guard_counts){atomic_load(&guarded), atomic_load(&missed)};
}
