// Which words of the roots name given blocks, and whose words they are.
#pragma once

#include <stdint.h>

#include "roots.h"

typedef struct {
    uint32_t block;
    uint8_t kind;  // GP_ROOT_*
    uint32_t thread;
    uintptr_t address;  // of the word; the register's number
    uintptr_t pc;  // return address in the frame that owns the word of a stack, 0: not known
} gp_root_name;

typedef void (*gp_root_name_visitor)(const gp_root_name *name, void *context);

// Calls `visit` for the first word that names each block of `wanted` (by block), and takes the block out of it. What
// stays comes before stacks and registers.
void gp_root_names(const gp_roots *roots, uint64_t *wanted, gp_root_name_visitor visit, void *context);
