// The process's memory mappings, as /proc/self/maps lists them. Nothing allocates.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uintptr_t start, end;
} gp_mapping;

// The mapping that contains `address`. False: none, or /proc cannot be read. Costs some µs; before Linux 6.11
// about 0.2 µs for each mapping that lies below the address.
bool gp_mapping_containing(uintptr_t address, gp_mapping *mapping);

enum {
    GP_MAP_READ = 1u << 0,
    GP_MAP_WRITE = 1u << 1,
    GP_MAP_SHARED = 1u << 2,
    GP_MAP_FILE = 1u << 3,
};

typedef struct {
    gp_mapping range;
    uint32_t flags;  // those above
    char path[12];  // its first bytes, closed with a NUL
    uint64_t path_end;  // its last eight bytes, the very last in the low byte
} gp_mapping_line;

// Calls `visit` for each mapping in ascending order until it returns false. False: the list could not be read.
bool gp_mappings_each(bool (*visit)(const gp_mapping_line *line, void *context), void *context);

// Limits on this process, in bytes; UINT64_MAX: there is none, or it is not known.

// On its addresses (RLIMIT_AS).
uint64_t gp_address_space_limit(void);

// On its memory: the lower one of RLIMIT_AS and RLIMIT_DATA, which counts private mappings that can be written, touched or not.
uint64_t gp_memory_limit(void);

static inline bool gp_memory_is_limited(void) {
    return gp_memory_limit() != UINT64_MAX;
}
