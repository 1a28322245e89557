// The live table's entries, inline for the hooks: an entry packs the stack id (28 bits), the requested size (32 bits,
// saturated) and four flags into a word; no block: 0.
#pragma once

#include "arch.h"
#include "live_table.h"

enum {
    GP_REGION_BITS = 26,  // 64 MiB of address space for each second-level table
    GP_REGION_COUNT = 1 << (GP_USER_BITS - GP_REGION_BITS),  // of user space
    GP_REGION_ENTRIES = 1 << (GP_REGION_BITS - 4),  // one for each granule of 16 bytes
    GP_ENTRIES_PER_PAGE = GP_PAGE / 8,
    GP_ENTRY_PRESENT = 1u << 3,
};

typedef uint64_t gp_live_entry;

typedef struct {
    gp_live_entry entries[GP_REGION_ENTRIES];
    uint8_t occupied[GP_REGION_ENTRIES / GP_ENTRIES_PER_PAGE];  // pages of `entries` that were ever written
    uint8_t ages[GP_REGION_ENTRIES];  // gp_live_age as the block was made; written only while that is not 0
    uint16_t counters[GP_REGION_ENTRIES];  // the scoped counter that counts the block; written only while there are any
    _Atomic(uint64_t *) births;  // when each block was made, as gp_now_ns; NULL: that is not kept
} gp_live_region;

extern __attribute__((visibility("hidden"))) _Atomic(gp_live_region *) gp_live_regions[GP_REGION_COUNT];

// Bits of an age.
enum {
    GP_AGE_GENERATION = 0x7f,  // marks that were set before
    GP_AGE_EXPECTED = 0x80,  // the block was to be deallocated
    GP_AGE_COUNTS = 0x100,  // of gp_live_age alone: ages are kept
    GP_AGE_COUNTED = 0x200,  // the same: there are scoped counters
    GP_AGE_LISTED = 0x400,  // the same: times of birth are kept, for the list of objects
};

extern __attribute__((visibility("hidden"))) uint32_t gp_live_age;

// Whose allocation a block is that is made now; 0: nobody's. Set before GP_AGE_COUNTED is.
extern __attribute__((visibility("hidden"))) uint16_t (*gp_live_owner)(void);

static inline gp_live_entry gp_live_pack(uint64_t size, uint32_t stack, uint32_t flags) {
    uint64_t saturated = size < UINT32_MAX ? size : UINT32_MAX;
    return saturated << 32 | (uint64_t)(stack & 0xfffffff) << 4 | GP_ENTRY_PRESENT | flags;
}

static inline uint32_t gp_live_stack(gp_live_entry entry) {
    return (uint32_t)entry >> 4;
}
static inline uint32_t gp_live_flags(gp_live_entry entry) {
    return entry & (GP_ENTRY_PRESENT - 1);
}

// UINT32_MAX stands for "that or more": the allocator knows.
static inline uint64_t gp_live_size(gp_live_entry entry, uintptr_t address) {
    uint32_t size = (uint32_t)(entry >> 32);
    return __builtin_expect(size != UINT32_MAX, 1) ? size : gp_live_usable_size(address);
}

// What is known of the blocks around `address`; NULL: nothing near it was ever put.
static inline gp_live_region *gp_live_region_of(uintptr_t address) {
    if (__builtin_expect(address >> GP_USER_BITS, 0))
        return NULL;
    return __atomic_load_n((gp_live_region **)&gp_live_regions[address >> GP_REGION_BITS], __ATOMIC_ACQUIRE);
}

// Where it stands in each array of its region.
static inline uint32_t gp_live_index(uintptr_t address) {
    return (uint32_t)(address >> 4) & (GP_REGION_ENTRIES - 1);
}

// The place of a block's entry; NULL: nothing near it was ever put.
static inline gp_live_entry *gp_live_find(uintptr_t address) {
    if (__builtin_expect(address >> GP_USER_BITS || (address & 15), 0))
        return NULL;
    gp_live_region *region = gp_live_region_of(address);
    return __builtin_expect(region != NULL, 1) ? &region->entries[gp_live_index(address)] : NULL;
}

GP_SLOW_PATH bool gp_live_store_slowly(uintptr_t address, gp_live_entry entry);

// When the block was made, in nanoseconds since recording began; 0: not known.
uint64_t gp_live_birth(uintptr_t address);

// Keeps what else is to be known of a block that is made now.
GP_SLOW_PATH void gp_live_note(gp_live_region *region, uint32_t index, gp_live_entry entry);

static inline bool gp_live_store(uintptr_t address, gp_live_entry entry) {
    if (__builtin_expect(address >> GP_USER_BITS || (address & 15), 0))
        return false;
    gp_live_region *region = gp_live_region_of(address);
    if (__builtin_expect(!region, 0))
        return gp_live_store_slowly(address, entry);
    uint32_t index = gp_live_index(address);
    uint8_t *occupied = &region->occupied[index / GP_ENTRIES_PER_PAGE];
    if (__builtin_expect(!*occupied, 0))
        *occupied = 1;
    if (__builtin_expect(gp_live_age, 0))
        gp_live_note(region, index, entry);
    __atomic_store_n(&region->entries[index], entry, __ATOMIC_RELEASE);
    return true;
}
