#include "quarantine.h"

#include <sched.h>
#include <stdatomic.h>

#include "layout.h"
#include "options.h"
#include "poison.h"
#include "../recorder/system.h"
#include "zombie_record.h"

// Deaths have tickets 0, 1, 2 …; ticket t lies in grave t % capacity. A grave's state is 2·t while it waits for ticket
// t and 2·t + 1 while it holds it.
uintptr_t gp_graves_base, gp_graves_size;
static gp_grave *graves;
static uint64_t capacity, byte_limit, largest;
static _Atomic uint64_t head __attribute__((aligned(64)));
static _Atomic uint64_t tail __attribute__((aligned(64)));
static _Atomic uint64_t kept_bytes __attribute__((aligned(64)));
static _Atomic uint64_t evicted, evicted_bytes, passed_by;

enum { SPINS = 200, LARGEST_SHARE = 8 };

bool gp_quarantine_open(uint64_t bytes, uint32_t count) {
    uint64_t all = (uint64_t)count + GP_PINNED_MOST, space = all << GP_GRAVE_BITS;
    long address =
        gp_system(mmap, 0, space + (1 << GP_GRAVE_BITS), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    graves = gp_system_pages(all * sizeof(gp_grave));
    if ((address < 0 && address > -4096) || !graves)
        return false;
    gp_graves_base = ((uintptr_t)address + (1 << GP_GRAVE_BITS) - 1) & ~(uintptr_t)((1 << GP_GRAVE_BITS) - 1);
    gp_graves_size = space;
    capacity = count;
    byte_limit = bytes;
    largest = bytes / LARGEST_SHARE;
    for (uint64_t i = 0; i < count; i++)
        graves[i].state = 2 * i;
    return true;
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

// Gives the oldest block back to the allocator. False: there is none.
static bool evict(struct gp_thread *thread, void (*give_back)(void *block)) {
    uint64_t ticket = atomic_load(&tail);
    if (ticket >= atomic_load(&head))
        return false;
    gp_grave *grave = &graves[ticket % capacity];
    uint64_t state = __atomic_load_n(&grave->state, __ATOMIC_ACQUIRE);
    if (state != 2 * ticket + 1) {
        if (atomic_load(&tail) == ticket)
            sched_yield();
        return true;
    }
    if (!atomic_compare_exchange_strong(&tail, &ticket, ticket + 1))
        return true;
    inspect(thread, grave, (uint32_t)(ticket % capacity));
    void *block = (void *)grave->address;
    atomic_fetch_sub_explicit(&kept_bytes, grave->size, memory_order_relaxed);
    atomic_fetch_add_explicit(&evicted, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&evicted_bytes, grave->size, memory_order_relaxed);
    gp_live_entry *place = gp_live_find(grave->address);
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&grave->state, 2 * (ticket + capacity), __ATOMIC_RELEASE);
    give_back(block);
    return true;
}

bool gp_quarantine_add(struct gp_thread *thread, const gp_grave *dead, gp_live_entry *place,
                       void (*give_back)(void *block)) {
    if (__builtin_expect(dead->size > largest, 0)) {
        atomic_fetch_add_explicit(&passed_by, 1, memory_order_relaxed);
        return false;
    }
    uint64_t ticket = atomic_fetch_add(&head, 1);
    while (ticket >= capacity && atomic_load_explicit(&tail, memory_order_relaxed) <= ticket - capacity)
        evict(thread, give_back);
    uint32_t number = (uint32_t)(ticket % capacity);
    gp_grave *grave = &graves[number];
    wait_for(grave, 2 * ticket);
    uintptr_t *block = (uintptr_t *)dead->address;
    grave->address = dead->address;
    grave->size = dead->size;
    grave->metadata = dead->size >= 8 ? block[0] : 0;
    grave->counts = dead->size >= 16 ? block[1] : 0;
    grave->time_ns = dead->time_ns;
    grave->type = dead->type;
    grave->allocated = dead->allocated;
    grave->deallocated = dead->deallocated;
    grave->thread = dead->thread;
    grave->flags = dead->flags;
    grave->reports = 0;
    __atomic_store_n(place, (gp_live_entry)(number + 1) << 4, __ATOMIC_RELEASE);
    gp_poison(block, words_of(grave), number);
    __atomic_store_n(&grave->state, 2 * ticket + 1, __ATOMIC_RELEASE);
    uint64_t bytes = atomic_fetch_add_explicit(&kept_bytes, dead->size, memory_order_relaxed) + dead->size;
    while (__builtin_expect(bytes > byte_limit, 0) && evict(thread, give_back))
        bytes = atomic_load_explicit(&kept_bytes, memory_order_relaxed);
    return true;
}

gp_grave *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address) {
    uint64_t number = entry >> 4;
    if ((entry & 15) != 0 || number == 0 || number > capacity)
        return NULL;
    gp_grave *grave = &graves[number - 1];
    return grave->address == address ? grave : NULL;
}

gp_grave *gp_quarantine_grave(uint32_t number) {
    return number < capacity + GP_PINNED_MOST ? &graves[number] : NULL;
}

uint32_t gp_quarantine_first_pinned(void) {
    return (uint32_t)capacity;
}

void gp_quarantine_inspect(struct gp_thread *thread) {
    for (uint64_t ticket = atomic_load(&tail), end = atomic_load(&head); ticket < end; ticket++) {
        gp_grave *grave = &graves[ticket % capacity];
        if (__atomic_load_n(&grave->state, __ATOMIC_ACQUIRE) == 2 * ticket + 1)
            inspect(thread, grave, (uint32_t)(ticket % capacity));
    }
}

gp_quarantine_counts gp_quarantine_count(void) {
    uint64_t first = atomic_load(&tail), end = atomic_load(&head);
    return (gp_quarantine_counts){
        .buried = end,
        .evicted = atomic_load(&evicted),
        .evicted_bytes = atomic_load(&evicted_bytes),
        .kept = end - first,
        .kept_bytes = atomic_load(&kept_bytes),
        .passed_by = atomic_load(&passed_by),
        .byte_limit = byte_limit,
        .count_limit = capacity,
    };
}
