// What is known of a dead block.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// One line of the cache.
typedef struct {
    uint64_t state;  // whether it is in use, by whoever keeps slots: quarantine_insert.h, unowned_kept.c, guard_pages.h
    uintptr_t address;
    uint64_t size;
    uintptr_t metadata;  // its first word as it was
    uint64_t time_ns;
    uint32_t type;
    uint32_t allocated, deallocated;  // stacks
    uint32_t thread;
    uint32_t flags;  // GP_ZOMBIE_*, GP_SLOT_*
    uint32_t reports;  // how many uses of it were reported
} gp_quarantine_slot __attribute__((aligned(64)));

// Beyond the flags that a trace knows.
enum {
    GP_SLOT_REPORTED = 1u << 8,  // that its block was freed twice
    GP_SLOT_KEEPS = 1u << 9,  // its block, for good
    GP_SLOT_REVEALED = 1u << 11,  // its page, so that it can be read again
    GP_SLOT_SHARED = 1u << 10,  // another slot, which is used again, filled its block too
};
