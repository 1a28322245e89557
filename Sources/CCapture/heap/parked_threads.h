// Workers of libdispatch's pool that wait for work. Nothing that their functions hold is the program's: what their stacks
// show was left there by work that is done, and would hide what it has lost.
#ifndef GP_PARKED_THREADS_H
#define GP_PARKED_THREADS_H

#include "stop_threads.h"

// Finds the parked ones among the stopped threads and notes where their frames end (gp_stopped_thread.parked_end).
//
// Parked is only who stands in the kernel's futex call and whose stack, unwound to its beginning, is the C library's wait
// and thread start around libdispatch's worker function at its one call of dispatch_semaphore_wait. A function of the
// program that has ended in a tail call leaves no frame, but what called it then is another call of the worker's.
// Workers of a libdispatch that is linked into the program are not recognised.
void gp_parked_threads_note(const gp_stopped_threads *threads);

#endif
