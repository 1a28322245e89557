// The malloc family while zombies are recorded. pc, sp and fp: the caller's registers as gp_registers has them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "allocator.h"

void *gp_zombie_malloc(size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void *gp_zombie_calloc(size_t count, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void *gp_zombie_aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void *gp_zombie_realloc(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void gp_zombie_free(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// What gp_entries is while zombies are recorded.
extern __attribute__((visibility("hidden"))) const gp_allocator gp_zombie_entries;
