#include "live_table.h"

#include <malloc.h>
#include <stdatomic.h>

#include "arch.h"
#include "arena.h"
#include "live_entry.h"
#include "system.h"
#include "trace_writer.h"

_Atomic(gp_live_region *) gp_live_regions[GP_REGION_COUNT];
uint32_t gp_live_age;
uint16_t (*gp_live_owner)(void);
void (*gp_live_disguise)(void);
uintptr_t (*gp_live_used_dead)(bool revives);

// By page of gp_live_regions: whether there is a region. The kernel makes a page for whoever looks into it.
enum { REGIONS_OF_PAGE = GP_PAGE / sizeof gp_live_regions[0] };
static uint8_t has_regions[GP_REGION_COUNT / REGIONS_OF_PAGE];

// Of the arena, which a snapshot does not search: an entry may look like an address. NULL: no memory.
static void *fresh_table(size_t size) {
    void *fresh = gp_arena_allocate(size);
    if (fresh)
        gp_system(madvise, fresh, size, MADV_NOHUGEPAGE);
    return fresh;
}

bool gp_live_store_slowly(uintptr_t address, gp_live_entry entry) {
    _Atomic(gp_live_region *) *place = &gp_live_regions[address >> GP_REGION_BITS];
    if (!atomic_load(place)) {
        // What another thread was faster with stays untouched.
        gp_live_region *fresh = fresh_table(sizeof *fresh);
        if (!fresh)
            return false;
        gp_live_region *none = NULL;
        has_regions[(address >> GP_REGION_BITS) / REGIONS_OF_PAGE] = 1;
        atomic_compare_exchange_strong(place, &none, fresh);
    }
    return gp_live_store(address, entry);
}

static void note_birth(gp_live_region *region, uint32_t index) {
    uint64_t *births = atomic_load_explicit(&region->births, memory_order_acquire);
    if (!births) {
        uint64_t *fresh = fresh_table(GP_REGION_ENTRIES * sizeof *fresh);
        if (!fresh)
            return;
        births = atomic_compare_exchange_strong(&region->births, &births, fresh) ? fresh : births;
    }
    births[index] = gp_now_ns();
}

uint64_t gp_live_birth(uintptr_t address) {
    gp_live_region *region = gp_live_region_of(address);
    const uint64_t *births = region ? atomic_load(&region->births) : NULL;
    return births ? births[gp_live_index(address)] : 0;
}

void gp_live_note(gp_live_region *region, uint32_t index, gp_live_entry entry) {
    uint32_t age = __atomic_load_n(&gp_live_age, __ATOMIC_ACQUIRE);  // gp_live_owner is set before GP_AGE_COUNTED
    if (age & GP_AGE_COUNTS)
        region->ages[index] = (uint8_t)age;
    if (age & GP_AGE_COUNTED)
        region->counters[index] = gp_live_flags(entry) & GP_BLOCK_RECORDER ? 0 : gp_live_owner();
    if (age & GP_AGE_LISTED)
        note_birth(region, index);
}

bool gp_live_put(uintptr_t address, uint64_t size, uint32_t stack, uint32_t flags) {
    return gp_live_store(address, gp_live_pack(size, stack, flags));
}

static void unpack(uintptr_t address, gp_live_entry entry, gp_block *block) {
    *block = (gp_block){
        .address = address,
        .size = gp_live_size(entry, address),
        .stack = gp_live_stack(entry),
        .flags = gp_live_flags(entry),
    };
}

bool gp_live_get(uintptr_t address, gp_block *block) {
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : 0;
    if (entry & GP_ENTRY_PRESENT)
        unpack(address, entry, block);
    return entry & GP_ENTRY_PRESENT;
}

bool gp_live_get_before(uintptr_t address, size_t reach, gp_block *block) {
    if (address >> GP_USER_BITS)
        return false;
    uintptr_t granule = address >> 4, last = address > reach ? (address - reach + 15) >> 4 : 0;
    while (granule >= last) {
        gp_live_region *region =
            atomic_load_explicit(&gp_live_regions[granule / GP_REGION_ENTRIES], memory_order_acquire);
        uintptr_t page = granule & ~(uintptr_t)(GP_ENTRIES_PER_PAGE - 1), end = page > last ? page : last;
        uint32_t index = (uint32_t)(granule & (GP_REGION_ENTRIES - 1));
        if (region && region->occupied[index / GP_ENTRIES_PER_PAGE]) {
            for (const gp_live_entry *entry = &region->entries[index]; granule >= end; granule--, entry--) {
                gp_live_entry found = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
                if (found & GP_ENTRY_PRESENT) {
                    unpack(granule << 4, found, block);
                    return true;
                }
            }
        }
        if (page == 0)
            return false;
        granule = page - 1;
    }
    return false;
}

bool gp_live_take(uintptr_t address, gp_block *block) {
    bool known = gp_live_get(address, block);
    if (known)
        __atomic_store_n(gp_live_find(address), 0, __ATOMIC_RELEASE);
    return known;
}

// False: `visit` asked to stop.
static bool visit_region(uintptr_t start, const gp_live_region *region,
                         bool (*visit)(const gp_block *block, void *context), void *context) {
    for (uint32_t page = 0; page < sizeof region->occupied; page++) {
        if (!region->occupied[page])
            continue;
        for (uint32_t i = page * GP_ENTRIES_PER_PAGE; i < (page + 1) * GP_ENTRIES_PER_PAGE; i++) {
            gp_live_entry entry = GP_LOAD_IN_ORDER(region->entries[i]);
            if (!(entry & GP_ENTRY_PRESENT))
                continue;
            gp_block block;
            unpack(start + (uintptr_t)i * 16, entry, &block);
            if (!visit(&block, context))
                return false;
        }
    }
    return true;
}

void gp_live_each(bool (*visit)(const gp_block *block, void *context), void *context) {
    for (uintptr_t i = 0, step; i < GP_REGION_COUNT; i += step) {
        step = has_regions[i / REGIONS_OF_PAGE] ? 1 : REGIONS_OF_PAGE;
        gp_live_region *region = step == 1 ? atomic_load_explicit(&gp_live_regions[i], memory_order_acquire) : NULL;
        if (region && !visit_region(i << GP_REGION_BITS, region, visit, context))
            return;
    }
}

void gp_live_forget(void) {
    for (uintptr_t i = 0; i < GP_REGION_COUNT; i += has_regions[i / REGIONS_OF_PAGE] ? 1 : REGIONS_OF_PAGE) {
        gp_live_region *region = has_regions[i / REGIONS_OF_PAGE] ? atomic_load(&gp_live_regions[i]) : NULL;
        if (region)
            gp_system(madvise, region, sizeof *region, MADV_DONTNEED);
    }
}

size_t gp_live_usable_size(uintptr_t address) {
    return malloc_usable_size((void *)address);
}
