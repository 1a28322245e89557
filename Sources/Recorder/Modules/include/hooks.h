// The functions of the Swift runtime that can be made to come here first: those that change a reference count, and the
// one that ends an object's life.
#pragma once

#include "hook_entries.h"

// Places the hooks of a set (bits 1 << GP_HOOK_*), all or none. NULL, or one sentence that says why not. Asks the loader:
// before the program's own code runs.
const char *gp_hooks_place(uint32_t set, gp_hook_receiver *receiver);

// Where the hooked function itself is, 0: not hooked.
uintptr_t gp_hook_function(unsigned hook);
