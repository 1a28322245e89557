// Which Swift object an allocation is for, before its first word is written.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_thread;

// swift_allocObject keeps the metadata in a register that calls preserve, or on its stack, until the memory is there.
// Looks at the registers as they are now and at the stack from here up to a little above `sp`. A wrong answer is
// harmless: only the choice of blocks to guard depends on it. Returns the metadata's type id, 0: none.
uint32_t gp_type_being_made(struct gp_thread *thread, size_t size, uintptr_t sp);
