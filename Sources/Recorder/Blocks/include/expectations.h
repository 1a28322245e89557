// Objects that the program expects to be deallocated.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// Keeps the list as it is until it is let go, for a copy of the process and for gp_expectations_unmet. False: whoever
// changes it does not come to an end soon (a signal handler may have interrupted it).
bool gp_expectations_hold(void);
void gp_expectations_let_go(void);

// Copies to `list` what is still alive although its time has come, at most `capacity`; returns how many there are. `now`
// and `asking`: time and thread of the snapshot. What another thread expected just now may be on its way out.
size_t gp_expectations_unmet(gp_expected *list, size_t capacity, uint64_t now, uint32_t asking);

// Writes a GP_EXPECTATION for each of these. In the frozen child.
void gp_expectations_write(struct gp_thread *thread, uint64_t now, uint32_t asking);
