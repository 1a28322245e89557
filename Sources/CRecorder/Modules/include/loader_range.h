// The dynamic linker's code: what it allocates is reachable from its own data, which no scan reads.
#pragma once

#include <stdbool.h>
#include <stdint.h>

extern __attribute__((visibility("hidden"))) uintptr_t gp_loader_start, gp_loader_size;

void gp_loader_find(void);

static inline bool gp_is_loader_code(uintptr_t pc) {
    return pc - gp_loader_start < gp_loader_size;
}
