// The loaded object (executable, shared library) that contains an address, as the loader knows it now.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uintptr_t start, end;  // its pages
    uintptr_t bias;
    const char *path;  // of the loader: may be empty for the executable
    uintptr_t eh_frame;  // its .eh_frame_hdr, 0: none
} gp_loaded_object;

// False: no object is there. No lock, async-signal-safe. 50 ns by glibc 2.35 and later, which have _dl_find_object; before
// it the loader's list is walked, at a system call or two for each object.
bool gp_loaded_object_at(uintptr_t address, gp_loaded_object *object);

// The walk alone.
bool gp_loaded_object_in_list(uintptr_t address, gp_loaded_object *object);
