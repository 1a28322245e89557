// Memory that the program and its libraries map for themselves, and threads that they make, with the stacks that did. At most 4,096
// of each at a time are known. All is async-signal-safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"

// is_placed: the program chose the address, and may find the mapping without keeping it.
typedef void gp_place_visitor(uintptr_t start, uintptr_t end, uint32_t stack, bool is_placed, void *context);

// Forgets all: their stacks are those of a recording that has ended.
void gp_program_places_forget(void);

// Another malloc than glibc's lies in a library from start to end: what is mapped from there is its memory.
void gp_allocator_lies(uintptr_t start, uintptr_t end);

typedef enum {
    GP_MAPS_ADDRESSES,  // reserved, for later mappings: left out
    GP_MAPS_MEMORY,
    GP_MAPS_PLACED,  // at an address that the program chose
} gp_maps;

// [address, address + length) was mapped by the caller. Smaller mappings than 64 KiB are left out.
void gp_program_maps(uintptr_t address, size_t length, gp_maps what, gp_registers caller);

// It was unmapped, or something else is mapped there now. About 1 ns for each mapping that is known.
void gp_program_unmaps(uintptr_t address, size_t length);

// Calls `visit` for each mapping that stands.
void gp_program_mappings_each(gp_place_visitor *visit, void *context);

// The same for those of another malloc, without stacks.
void gp_allocator_mappings_each(gp_place_visitor *visit, void *context);

// The caller made a thread with this `pthread_t`, which a thread that is gone may have had.
void gp_program_makes_thread(uintptr_t handle, gp_registers caller);

// Calls `visit` with the `pthread_t` of each thread as `start`, also of those that are gone.
void gp_program_threads_each(gp_place_visitor *visit, void *context);
