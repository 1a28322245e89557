// Workers of libdispatch's pool that wait for work. Nothing that their functions hold is the program's: what their
// stacks show was left there by work that is done, and would hide what it has lost.
#pragma once

#include "stop_threads.h"

// Finds the threads that stand in the kernel with nothing on their stacks but frames of the system's libraries
// (gp_stopped_thread.runs_no_code): none of the program's initializers or moves is under way there. Among them are the
// parked workers, with the place where their frames end (parked_end).
//
// Parked is only who waits in a futex call, whose stack is the C library's wait and thread start around libdispatch's
// worker function at its one call of dispatch_semaphore_wait. A function of the program that has ended in a tail call
// leaves no frame, but what called it then is another call of the worker's. Workers of a libdispatch that is linked into
// the program are not recognised.
void gp_parked_threads_note(const gp_stopped_threads *threads);
