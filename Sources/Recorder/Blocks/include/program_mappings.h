// Anonymous memory that the program and its libraries map for themselves, with the stacks that did.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arch.h"

// [address, address + length) was mapped by the caller. Smaller mappings than 64 KiB, and more than 4,096 at a time, are left
// out. Async-signal-safe.
void gp_program_maps(uintptr_t address, size_t length, gp_registers caller);

// It was unmapped, or something else is mapped there now. About 1 ns for each mapping that is known.
void gp_program_unmaps(uintptr_t address, size_t length);

// Calls `visit` for each mapping that stands.
void gp_program_mappings_each(void (*visit)(uintptr_t start, uintptr_t end, uint32_t stack, void *context),
                              void *context);
