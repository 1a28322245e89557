#include "quarantine.h"

#include <sched.h>
#include <stdatomic.h>

#include "deaths.h"
#include "layout.h"
#include "options.h"
#include "poison.h"
#include "../recorder/system.h"
#include "thread.h"
#include "zombie_record.h"

// Deaths have tickets 0, 1, 2 …; ticket t lies in grave t & mask. A grave's state is 2·t while it waits for ticket t and
// 2·t + 1 while it holds it. At most `capacity` are held, which may be fewer than there are graves.
uintptr_t gp_graves_base, gp_graves_size;
static gp_grave *graves;
static uint64_t capacity, mask, byte_limit, largest;
static _Atomic uint64_t head __attribute__((aligned(64)));
static _Atomic uint64_t tail __attribute__((aligned(64)));
static _Atomic int64_t kept_bytes __attribute__((aligned(64)));
static _Atomic uint64_t passed_by;

enum { SPINS = 200, LARGEST_SHARE = 8, GRAVES_AHEAD = 8, BLOCKS_AHEAD = 4 };

static uint64_t power_of_two(uint64_t least) {
    uint64_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

bool gp_quarantine_open(uint64_t bytes, uint32_t count) {
    uint64_t ring = power_of_two(count), all = ring + GP_PINNED_MOST, space = all << GP_GRAVE_BITS;
    long address =
        gp_system(mmap, 0, space + (1 << GP_GRAVE_BITS), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address < 0 && address > -4096)
        return false;
    graves = gp_system_pages(all * sizeof(gp_grave));
    if (!graves) {
        gp_system(munmap, address, space + (1 << GP_GRAVE_BITS));
        return false;
    }
    gp_graves_base = ((uintptr_t)address + (1 << GP_GRAVE_BITS) - 1) & ~(uintptr_t)((1 << GP_GRAVE_BITS) - 1);
    gp_graves_size = space;
    capacity = count;
    mask = ring - 1;
    byte_limit = bytes;
    largest = bytes / LARGEST_SHARE;
    for (uint64_t i = 0; i < ring; i++)
        graves[i].state = 2 * i;
    return true;
}

static inline uint32_t number_of(const gp_grave *grave) {
    return (uint32_t)(grave - graves);
}

static inline void wait_for(const gp_grave *grave, uint64_t state) {
    for (int i = 0; __atomic_load_n(&grave->state, __ATOMIC_ACQUIRE) != state; i++) {
        if (i < SPINS)
            __builtin_ia32_pause();
        else
            sched_yield();
    }
}

static size_t words_of(const gp_grave *grave) {
    if (gp_zombie_asked.keep_going && grave->type)
        return grave->size < 16 ? grave->size / 8 : 2;
    return gp_poisoned_words(grave->size);
}

static void inspect(struct gp_thread *thread, gp_grave *grave, uint32_t number) {
    ptrdiff_t word = gp_poison_broken((const uintptr_t *)grave->address, words_of(grave), number);
    if (__builtin_expect(word >= 0 && !(grave->flags & GP_ZOMBIE_CONTINUED), 0))
        gp_zombie_report(thread, grave, &(gp_zombie_use){.access = GP_ACCESS_WRITTEN, .offset = word * 8});
}

// Graves leave in a known order: what is needed for the next ones is fetched meanwhile.
static inline void prefetch(uint64_t ticket) {
    __builtin_prefetch(&graves[(ticket + GRAVES_AHEAD) & mask], 1);
    uintptr_t block = graves[(ticket + BLOCKS_AHEAD) & mask].address;
    gp_live_entry *place = gp_live_find(block);
    if (place) {
        __builtin_prefetch((const void *)block, 1);
        __builtin_prefetch(place, 1);
    }
}

// Gives the oldest block back to the allocator. Returns its size, −1: there is none, 0: another thread was first.
static int64_t evict(struct gp_thread *thread, void (*give_back)(void *block)) {
    uint64_t ticket = atomic_load_explicit(&tail, memory_order_acquire);
    if (ticket >= atomic_load_explicit(&head, memory_order_acquire))
        return -1;
    gp_grave *grave = &graves[ticket & mask];
    uint64_t state = __atomic_load_n(&grave->state, __ATOMIC_ACQUIRE);
    if (state != 2 * ticket + 1) {
        if (atomic_load(&tail) == ticket)
            sched_yield();
        return 0;
    }
    if (!atomic_compare_exchange_strong(&tail, &ticket, ticket + 1))
        return 0;
    prefetch(ticket);
    inspect(thread, grave, number_of(grave));
    void *block = (void *)grave->address;
    int64_t size = (int64_t)grave->size;
    gp_live_entry *place = gp_live_find(grave->address);
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&grave->state, 2 * (ticket + mask + 1), __ATOMIC_RELEASE);
    give_back(block);
    if (thread->deaths)
        thread->deaths->evicted_bytes += (uint64_t)size;
    return size;
}

// Counts what came and what left at once: where they are equal nothing is written.
static void count_bytes(struct gp_thread *thread, int64_t change, void (*give_back)(void *block)) {
    if (change != 0)
        change = atomic_fetch_add_explicit(&kept_bytes, change, memory_order_relaxed) + change;
    else
        change = atomic_load_explicit(&kept_bytes, memory_order_relaxed);
    int64_t left;
    while (__builtin_expect(change > (int64_t)byte_limit, 0) && (left = evict(thread, give_back)) >= 0)
        change = atomic_fetch_sub_explicit(&kept_bytes, left, memory_order_relaxed) - left;
}

gp_grave *gp_quarantine_begin(struct gp_thread *thread, uint64_t size, void (*give_back)(void *block)) {
    if (__builtin_expect(size > largest, 0)) {
        atomic_fetch_add_explicit(&passed_by, 1, memory_order_relaxed);
        return NULL;
    }
    uint64_t ticket = atomic_fetch_add(&head, 1);
    int64_t left = 0;
    while (ticket >= capacity && atomic_load_explicit(&tail, memory_order_relaxed) <= ticket - capacity) {
        int64_t evicted = evict(thread, give_back);
        left += evicted > 0 ? evicted : 0;
    }
    count_bytes(thread, (int64_t)size - left, give_back);
    gp_grave *grave = &graves[ticket & mask];
    wait_for(grave, 2 * ticket);
    return grave;
}

void gp_quarantine_close(gp_grave *grave, gp_live_entry *place) {
    __atomic_store_n(place, (gp_live_entry)(number_of(grave) + 1) << 4, __ATOMIC_RELEASE);
    gp_poison((uintptr_t *)grave->address, words_of(grave), number_of(grave));
    __atomic_store_n(&grave->state, grave->state + 1, __ATOMIC_RELEASE);
}

gp_grave *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address) {
    uint64_t number = entry >> 4;
    if ((entry & 15) != 0 || number == 0 || number > mask + 1)
        return NULL;
    gp_grave *grave = &graves[number - 1];
    return grave->address == address ? grave : NULL;
}

gp_grave *gp_quarantine_grave(uint32_t number) {
    return number <= mask + GP_PINNED_MOST ? &graves[number] : NULL;
}

uint32_t gp_quarantine_first_pinned(void) {
    return (uint32_t)(mask + 1);
}

void gp_quarantine_inspect(struct gp_thread *thread) {
    for (uint64_t ticket = atomic_load(&tail), end = atomic_load(&head); ticket < end; ticket++) {
        gp_grave *grave = &graves[ticket & mask];
        if (__atomic_load_n(&grave->state, __ATOMIC_ACQUIRE) == 2 * ticket + 1)
            inspect(thread, grave, number_of(grave));
    }
}

static uint64_t evicted_bytes(void) {
    uint64_t sum = 0;
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        sum += thread->deaths ? thread->deaths->evicted_bytes : 0;
    return sum;
}

gp_quarantine_counts gp_quarantine_count(void) {
    uint64_t first = atomic_load(&tail), end = atomic_load(&head);
    return (gp_quarantine_counts){
        .buried = end,
        .evicted = first,
        .evicted_bytes = evicted_bytes(),
        .kept = end - first,
        .kept_bytes = (uint64_t)atomic_load(&kept_bytes),
        .passed_by = atomic_load(&passed_by),
        .byte_limit = byte_limit,
        .count_limit = capacity,
    };
}
