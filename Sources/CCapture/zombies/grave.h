// What is known of a dead block.
#ifndef GP_ZOMBIES_GRAVE_H
#define GP_ZOMBIES_GRAVE_H

#include <stdbool.h>
#include <stdint.h>

// One line of the cache.
typedef struct {
    uint64_t state;  // whether it is in use, by whoever keeps graves: burial.h, pinned.c, guard_pages.h
    uintptr_t address;
    uint64_t size;
    uintptr_t metadata;  // its first word as it was
    uint64_t time_ns;
    uint32_t type;
    uint32_t allocated, deallocated;  // stacks
    uint32_t thread;
    uint32_t flags;  // GP_ZOMBIE_*, GP_GRAVE_*
    uint32_t reports;  // how many uses of it were reported
} gp_grave __attribute__((aligned(64)));

// Beyond the flags that a trace knows.
enum {
    GP_GRAVE_TOLD = 1u << 8,  // that its block was freed twice
    GP_GRAVE_KEEPS = 1u << 9,  // its block, for good
    GP_GRAVE_SHARED = 1u << 10,  // another grave, which is used again, filled its block too
};

#endif
