#include "guard_pages.h"

#include <stdatomic.h>
#include <string.h>

#include "arch.h"
#include "arena.h"
#include "lock.h"
#include "system.h"
#include "trace_writer.h"

// Each page that can be touched lies between two that cannot: a mapping each. The kernel permits 65,530 of them.
enum { LIVE_MOST = 1 << 14 };

static gp_quarantine_slot *slots;  // by page
static uint32_t live, live_most;
static gp_lock lock;
static _Atomic uint64_t guarded, missed;
static _Atomic bool reused;

// -------------------------------------------------------------------------------------------------- deferred protection

// Where deallocations of sampled blocks follow one another so fast that taking each page away by itself, 4 to 7 µs of the
// kernel's, would be felt, they wait, poisoned like any quarantined block, until there are enough to be taken away together.
// All of it is done under the lock.
//
// They are that fast when so many come within the time in which their pages cost a hundredth of it, but not when samples are
// dense: who asks for that wants to see everything. In programs that run for moments they never are.
enum { WAITING_MOST = 32, WINDOW_NS = WAITING_MOST * 700000, FREES_BEFORE = 512, DENSE_SAMPLES = 100 };

// The slots that are used by turns, so that a word of a quarantined block says for long which one it was.
enum { SLOTS_USED = 1024 };

static bool is_deferred;
static uint64_t window_start;
static uint32_t frees, next_slot, waiting_count;
static struct { uint32_t page, slot; } waiting[WAITING_MOST];

// A sampled block is freed. Returns whether it has to wait.
static bool has_to_wait(void) {
    frees++;
    if (frees % WAITING_MOST != 0 || !gp_zombies_sampled_only || gp_zombie_asked.keep_going ||
        gp_zombie_asked.sample < DENSE_SAMPLES || gp_quarantine_first_unowned_kept() < SLOTS_USED)
        return is_deferred;
    const uint64_t now = gp_coarse_ns();
    is_deferred = frees > FREES_BEFORE && now - window_start < WINDOW_NS;
    window_start = now;
    return is_deferred;
}

// Poisons the block of `page`, of which `dead` says what is known, and keeps it. True: as many wait as may.
static bool defer(uint32_t page, const gp_quarantine_slot *dead) {
    gp_quarantine_slot *slot = gp_quarantine_slot_at(next_slot++ % SLOTS_USED);
    gp_quarantine_slot filled = *dead;
    filled.state = slot->state;
    __atomic_thread_fence(__ATOMIC_RELEASE);  // what stood there has left for whoever sees this
    *slot = filled;
    __atomic_thread_fence(__ATOMIC_RELEASE);  // as in close_slot
    gp_poison((uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
    __atomic_store_n(&slot->state, filled.state + 1, __ATOMIC_RELEASE);
    waiting[waiting_count].page = page;
    waiting[waiting_count++].slot = gp_slot_number(slot);
    return waiting_count == WAITING_MOST;
}

// Takes away the pages of all that wait, and reports those that were written to. Returns how many pages could not be taken
// away.
static uint32_t protect_waiting(struct gp_thread *thread) {
    uint32_t pages[WAITING_MOST], count = waiting_count;
    for (uint32_t i = 0; i < count; i++) {
        gp_quarantine_slot *slot = gp_quarantine_slot_at(waiting[i].slot);
        if (!gp_slot_is_intact(slot))
            gp_slot_report_write(thread, slot);
        gp_slot_leaves(slot);
        pages[i] = waiting[i].page;
    }
    waiting_count = 0;
    return gp_pages_take_away(pages, count);
}

// -------------------------------------------------------------------------------------------------------------- pages

bool gp_guard_open_at(uintptr_t start, uint32_t pages, uint32_t most) {
    // They name the blocks: no root of a heap search.
    const uintptr_t line = _Alignof(gp_quarantine_slot);
    const uintptr_t memory = (uintptr_t)gp_arena_allocate(pages * sizeof(gp_quarantine_slot) + line);
    slots = (gp_quarantine_slot *)((memory + line - 1) & -line);
    live_most = most;
    return memory && gp_pages_open(start, pages);
}

// A search of the heap reads a block's size in front of it, which is on the page before. In the frozen child alone.
static void disguise(void) {
    enum { WORD = sizeof(size_t), GRANULE = 16, IN_USE = 1 };
    const uintptr_t first = gp_guard_start - GP_GUARD_PAGE;
    const bool is_open = gp_system(mprotect, first, GP_GUARD_PAGE + gp_guard_size, PROT_READ | PROT_WRITE) >= 0;
    for (gp_quarantine_slot *slot = slots, *before = NULL; slot < slots + GP_GUARD_PAGES; before = slot++) {
        const bool is_full = before && before->state == GP_GUARD_LIVE && before->metadata > GP_GUARD_PAGE - WORD;
        gp_block block;
        if (slot->state == GP_GUARD_LIVE && is_open && !is_full)
            *(size_t *)(slot->address - WORD) = (slot->metadata + WORD + GRANULE - 1) / GRANULE * GRANULE | IN_USE;
        else if (slot->state != GP_GUARD_UNUSED)
            gp_live_take(slot->address, &block);
    }
}

bool gp_guard_open(void) {
    const size_t size = GP_GUARD_PAGE + GP_GUARD_SPACE;
    long address = gp_system_map(size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const bool is_refused = address < 0 && address > -4096;
    if (is_refused || !gp_guard_open_at((uintptr_t)address + GP_GUARD_PAGE, GP_GUARD_PAGES, LIVE_MOST))
        return false;
    gp_arena_adopt((void *)address, size);
    gp_live_disguise = disguise;
    return true;
}

// The page's slot becomes a living block's. False: the page was opened.
static bool claim(uint32_t page) {
    uint64_t state = gp_slot_state(&slots[page]);
    if (state == GP_GUARD_DEAD)
        atomic_store_explicit(&reused, true, memory_order_relaxed);
    while (state != GP_GUARD_OPENED)
        if (__atomic_compare_exchange_n(&slots[page].state, &state, GP_GUARD_LIVE, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return true;
    return false;
}

// A page for a new block, −1: none.
static int64_t take_page(void) {
    int64_t page = -1;
    gp_lock_enter(&lock);
    if (live < live_most)
        do
            page = gp_pages_take(is_deferred);
        while (page >= 0 && !claim((uint32_t)page));
    if (page >= 0)
        live++;
    gp_lock_leave(&lock);
    return page;
}

void *gp_guard_make(size_t lead, size_t size, size_t alignment, size_t room) {
    if (!gp_guard_size)
        return NULL;
    int64_t page = room <= GP_GUARD_PAGE - lead && alignment <= GP_GUARD_PAGE ? take_page() : -1;
    if (page < 0) {
        atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed);
        return NULL;
    }
    void *block = (void *)(gp_page_address((uint32_t)page) + lead);
    memset(block, 0, size);
    slots[page] =
        (gp_quarantine_slot){.state = GP_GUARD_LIVE, .address = (uintptr_t)block, .size = size, .metadata = room};
    atomic_fetch_add_explicit(&guarded, 1, memory_order_relaxed);
    return block;
}

uint32_t gp_guard_count_live(void) {
    return __atomic_load_n(&live, __ATOMIC_RELAXED);
}

gp_quarantine_slot *gp_guard_slot(uintptr_t address) {
    gp_quarantine_slot *slot = &slots[(address - gp_guard_start) / GP_GUARD_PAGE];
    return gp_slot_state(slot) == GP_GUARD_UNUSED ? NULL : slot;
}

size_t gp_zombie_guarded_size(const void *block) {
    gp_quarantine_slot *slot = gp_guard_slot((uintptr_t)block);
    if (!slot)
        return 0;
    return slot->state == GP_GUARD_LIVE ? slot->metadata : slot->size;
}

void gp_guard_quarantine(struct gp_thread *thread, const gp_quarantine_slot *block) {
    uint32_t page = (uint32_t)((block->address - gp_guard_start) / GP_GUARD_PAGE), failed = 0;
    slots[page] = *block;
    __atomic_store_n(&slots[page].state, GP_GUARD_DEAD, __ATOMIC_RELEASE);
    gp_lock_enter(&lock);
    bool waits = has_to_wait();
    if (!waits)
        failed = gp_pages_take_away(&page, 1);
    if (!waits || defer(page, &slots[page]))
        failed += protect_waiting(thread);
    live--;
    gp_lock_leave(&lock);
    atomic_fetch_add_explicit(&missed, failed, memory_order_relaxed);
}

bool gp_guard_reveal(gp_quarantine_slot *dead, uint32_t number) {
    gp_lock_enter(&lock);
    const uint32_t page = (uint32_t)((dead->address - gp_guard_start) / GP_GUARD_PAGE);
    bool done = dead == &slots[page] && gp_page_is_away(page) && gp_page_make_writable(dead->address);
    if (done) {
        gp_poison((uintptr_t *)dead->address, gp_poisoned_words(dead->size), number);
        done = gp_page_make_readable(dead->address);
    }
    gp_lock_leave(&lock);
    return done;
}

bool gp_guard_open_page(uintptr_t address, bool *is_first) {
    uint64_t dead = GP_GUARD_DEAD;
    *is_first = __atomic_compare_exchange_n(&slots[(address - gp_guard_start) / GP_GUARD_PAGE].state, &dead,
                                            GP_GUARD_OPENED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    return gp_page_make_writable(gp_page_start(address));
}

void gp_guard_open_for_good(void) {
    enum { PATIENCE_NS = 100000000 };
    const bool has_lock = gp_lock_try(&lock) || gp_lock_wait(&lock, PATIENCE_NS);
    gp_pages_open_for_good();
    if (has_lock)
        gp_lock_leave(&lock);
}

gp_guard_counts gp_guard_count(void) {
    return (gp_guard_counts){atomic_load(&guarded), atomic_load(&missed), atomic_load(&reused)};
}
