// Where the functions of the program's Swift runtime are: in a shared library, or linked into the program.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "images.h"

// Stores the address of each function, 0: not found. Asks the loader, then the program's own symbol table. Not in a
// hook.
void gp_runtime_symbols(const char *const *names, uintptr_t *addresses, size_t count);

// Functions that a loaded image exports, read from its memory: no lock, no call into the loader.

// The address of `name`, 0: the image does not export it, or has no table of the GNU kind.
uintptr_t gp_exported_symbol(const gp_image_info *image, const char *name);
