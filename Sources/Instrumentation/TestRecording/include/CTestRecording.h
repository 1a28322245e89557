// A program that links this records from its first allocation, with the search for leaks, into a file of its own below
// $TMPDIR: what the tests of a package need that nobody starts under gameprof.
#ifndef GP_TEST_RECORDING_H
#define GP_TEST_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "CRecorderInterface.h"

/// Path of the trace, NULL when the environment asked for another recording or for none (GAMEPROF_TESTING=off).
const char *gp_test_trace(void);

/// Begins a counter of what tasks and threads allocate in which the task-local variable, a UInt64, has the counter's number.
/// `task_local`: the object that is the variable, always the same. C.f. gp_counter_begin; ends by gp_counter_end.
uint64_t gp_test_counter_begin(const void *task_local);

/// Clears what functions that have returned left below the caller's frame, 16 KB of it. Else a later call may have it in its own
/// frame, where a search of the heap takes it for a reference.
void gp_test_clear_stack(void);

#endif
