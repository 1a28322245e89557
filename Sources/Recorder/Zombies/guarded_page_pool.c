#include "guard_pages.h"

#include "system.h"

// How many pages a call of the kernel makes, makes ready again, or gives back the memory of.
enum { MADE_TOGETHER = 16, READY_MOST = 32, RELEASED_TOGETHER = 64 };

// Until then above all addresses: whoever sees only one of the two new takes no block for guarded.
uintptr_t gp_guard_start = ~(UINTPTR_MAX >> 1), gp_guard_size;

typedef struct {
    uint32_t *pages;
    uint64_t first, end;
} page_ring;

// Pages that nobody may touch, oldest first: the recent ones still have their memory.
static page_ring recent, resting;
static uint32_t ready[READY_MOST], ready_count;  // pages that can be touched and are nobody's yet; the last is next
static uint32_t next_fresh, page_count;
static bool away[GP_GUARD_PAGES];
static bool open_for_good;

static uint32_t count_of(const page_ring *ring) {
    return (uint32_t)(ring->end - ring->first);
}

static uint32_t page_at(const page_ring *ring, uint64_t place) {
    return ring->pages[place % page_count];
}

static void push(page_ring *ring, uint32_t page) {
    ring->pages[ring->end++ % page_count] = page;
}

bool gp_pages_open(uintptr_t start, uint32_t count) {
    recent.pages = gp_system_pages(count * sizeof *recent.pages);
    resting.pages = gp_system_pages(count * sizeof *resting.pages);
    if (!recent.pages || !resting.pages)
        return false;
    page_count = count;
    __atomic_store_n(&gp_guard_start, start, __ATOMIC_RELAXED);
    __atomic_store_n(&gp_guard_size, (uintptr_t)count * GP_GUARD_PAGE, __ATOMIC_RELEASE);
    return true;
}

static bool is_open_for_good(void) {
    return __atomic_load_n(&open_for_good, __ATOMIC_ACQUIRE);
}

static bool protect(uint32_t page, uint32_t count, int protection) {
    if (is_open_for_good())
        return true;
    return gp_system(mprotect, gp_page_address(page), (uintptr_t)count * GP_GUARD_PAGE, protection) >= 0;
}

static void advise(uint32_t page, uint32_t count, int advice) {
    if (!is_open_for_good())
        gp_system(madvise, gp_page_address(page), (uintptr_t)count * GP_GUARD_PAGE, advice);
}

// How many of the `count` pages, in ascending order, lie in a row from the first on.
static uint32_t row_length(const uint32_t *pages, uint32_t count) {
    uint32_t length = 1;
    while (length < count && pages[length] == pages[0] + length)
        length++;
    return length;
}

static void sort(uint32_t *pages, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t page = pages[i], place = i;
        for (; place > 0 && pages[place - 1] > page; place--)
            pages[place] = pages[place - 1];
        pages[place] = page;
    }
}

// Gives back the memory of the pages that were taken away first, a call for each row of neighbours.
static void release(void) {
    uint32_t pages[RELEASED_TOGETHER];
    for (uint32_t i = 0; i < RELEASED_TOGETHER; i++) {
        pages[i] = page_at(&recent, recent.first++);
        push(&resting, pages[i]);
    }
    sort(pages, RELEASED_TOGETHER);
    for (uint32_t first = 0, length; first < RELEASED_TOGETHER; first += length) {
        length = row_length(pages + first, RELEASED_TOGETHER - first);
        advise(pages[first], length, MADV_DONTNEED);
    }
}

// The neighbours at the beginning of the ring, at most so many.
static uint32_t take_row(page_ring *ring, uint32_t limit, uint32_t *first) {
    uint32_t count = 0;
    for (*first = page_at(ring, ring->first); count < limit && count < count_of(ring); count++)
        if (page_at(ring, ring->first + count) != *first + count)
            break;
    ring->first += count;
    return count;
}

static uint32_t take_fresh(uint32_t *first) {
    uint32_t left = page_count - next_fresh, count = left < MADE_TOGETHER ? left : MADE_TOGETHER;
    *first = next_fresh;
    next_fresh += count;
    return count;
}

static void make_ready(bool hurried) {
    const bool again = hurried && count_of(&recent) >= GP_GUARD_RECENT_MOST - RELEASED_TOGETHER;
    uint32_t first, count = again ? take_row(&recent, READY_MOST, &first) : take_fresh(&first);
    if (count == 0 && !again)
        count = take_row(count_of(&resting) > 0 ? &resting : &recent, MADE_TOGETHER, &first);
    if (count > 0 && !protect(first, count, PROT_READ | PROT_WRITE)) {
        for (uint32_t i = 0; i < count; i++)
            push(again ? &recent : &resting, first + i);
        return;
    }
    if (count > 1 && !again)
        advise(first, count, MADV_POPULATE_WRITE);
    for (uint32_t i = count; i > 0; i--) {
        away[first + i - 1] = false;
        ready[ready_count++] = first + i - 1;
    }
}

int64_t gp_pages_take(bool hurried) {
    if (ready_count == 0)
        make_ready(hurried);
    return ready_count > 0 ? ready[--ready_count] : -1;
}

uint32_t gp_pages_take_away(uint32_t *pages, uint32_t count) {
    uint32_t failed = 0;
    sort(pages, count);
    for (uint32_t first = 0, length; first < count; first += length) {
        length = row_length(pages + first, count - first);
        if (!protect(pages[first], length, PROT_NONE))
            failed += length;
        for (uint32_t i = first; i < first + length; i++) {
            away[pages[i]] = true;
            push(&recent, pages[i]);
        }
    }
    if (count_of(&recent) >= GP_GUARD_RECENT_MOST + RELEASED_TOGETHER)
        release();
    return failed;
}

bool gp_page_is_away(uint32_t page) {
    return away[page];
}

void gp_pages_open_for_good(void) {
    gp_system(mprotect, gp_guard_start, gp_guard_size, PROT_READ | PROT_WRITE);
    __atomic_store_n(&open_for_good, true, __ATOMIC_RELEASE);
}

bool gp_page_make_writable(uintptr_t address) {
    return is_open_for_good() || gp_system(mprotect, address, GP_GUARD_PAGE, PROT_READ | PROT_WRITE) >= 0;
}

bool gp_page_make_readable(uintptr_t address) {
    return is_open_for_good() || gp_system(mprotect, address, GP_GUARD_PAGE, PROT_READ) >= 0;
}
