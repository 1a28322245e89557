// Objects that the program expects to be deallocated.
#ifndef GP_EXPECTATIONS_H
#define GP_EXPECTATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap.h"

struct gp_thread;

// An expectation that was not met.
typedef struct {
    uintptr_t hidden;  // complement of the object's address: the list must not be what shows it
    uintptr_t metadata;  // the object's first word as it was expected
    uint64_t time_ns;
    const char *file;
    uint32_t line;
    uint32_t thread;
} gp_expected;

// Copies to `list` what is still alive although its time has come, at most `capacity`; returns how many there are. `now`
// and `asking`: time and thread of the snapshot. What another thread expected just now may be on its way out.
size_t gp_expectations_unmet(gp_expected *list, size_t capacity, uint64_t now, uint32_t asking);

// Asks for the ways from a root to some of these: their labels begin with "expected ". `targets` stay valid until the
// next call.
size_t gp_expectations_ask(gp_path_target *targets, size_t capacity, uint64_t now, uint32_t asking);

// Writes a GP_EXPECTATION for each of these. In the frozen child.
void gp_expectations_write(struct gp_thread *thread, uint64_t now, uint32_t asking);

#endif
