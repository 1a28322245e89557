// The allocator behind the recorder: libc's, or the one that the program brings (jemalloc, tcmalloc, mimalloc).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"

typedef struct {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *block, size_t size);
    void *(*memalign)(size_t alignment, size_t size);
    void (*free)(void *block);
} gp_allocator;

// libc's until it is looked for.
extern __attribute__((visibility("hidden"))) gp_allocator gp_real;

// Functions of these names (C23) that a library of the program's has, neither the allocator's own nor the C library's, which has
// them from glibc 2.43 on: those of a library that stands in for an older one call free. NULL: there is none.
extern __attribute__((visibility("hidden"))) void (*gp_other_free_sized)(void *block, size_t size);
extern __attribute__((visibility("hidden"))) void (*gp_other_free_aligned_sized)(void *block, size_t alignment,
                                                                                 size_t size);

// Asks the dynamic linker which it is, at the first call.
void gp_allocator_find(void);

// What it is, and whether it is not glibc's: of a preloaded copy, for the recorder that the program links.
gp_allocator gp_allocator_behind(bool *is_foreign);

// What the malloc family is while the recording is in one state. pc, sp and fp: the caller's registers as gp_registers has
// them.
typedef struct {
    gp_allocator busiest;  // without memalign: jumped to, so that their caller is the program
    void *(*aligned)(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
    void *(*resized)(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
} gp_entry_points;

// While zombies are recorded.
extern __attribute__((visibility("hidden"))) const gp_entry_points gp_zombie_entry_points;

// Three arguments: what the caller of the function in which this stands looked like just after the call.
#define CALLER GP_CALLER_VALUES()
