// Where the functions of the program's Swift runtime are: in a shared library, or linked into the program.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Stores the address of each function, 0: not found. Asks the loader, then the program's own symbol table. Not in a
// hook.
void gp_runtime_symbols(const char *const *names, uintptr_t *addresses, size_t count);
