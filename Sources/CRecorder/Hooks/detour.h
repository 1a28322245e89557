// Making a function come to a hook first, by a jump written over its first instructions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"

enum {
    GP_DETOUR_SLOT = 64,
    GP_DETOUR_PAGE = GP_PAGE,
};

typedef struct {
    uint8_t *page;  // near the functions, so that a jump of five bytes reaches it
    size_t used;
} gp_detours;

// Makes room near `function`. False: the kernel has none, or refuses.
bool gp_detours_open(gp_detours *detours, uintptr_t function);

// Prepares a detour: returns what behaves as the function does now, 0: its first instructions are not of the few kinds
// that can be moved. The function is not yet changed.
uintptr_t gp_detour_prepare(gp_detours *detours, uintptr_t function, uintptr_t hook);

// Makes everything that was prepared executable. False: refused, nothing may be put in place.
bool gp_detours_close(gp_detours *detours);

// Writes the jump. No thread may be inside the function's first instructions. False: the function cannot be written.
bool gp_detour_place(uintptr_t original, uintptr_t function);
