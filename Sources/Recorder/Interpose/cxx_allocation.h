// The program's operators new and delete, of the preloaded recorder.
#pragma once

#include <stdbool.h>

// Looks for those behind the recorder's. `is_allocators`: whether a function is another allocator's, whose operators are left out.
void gp_cxx_operators_find(bool (*is_allocators)(const void *function));
