// Words of stacks that hold nothing although they may look like pointers: what functions that have returned left there. Taken for
// pointers they would hide leaks. What else a search passes over it finds in the memory itself (StaleWords.swift).
//
//     system_frames   in the frames that end the program: all but the registers that they have saved
//     parked_threads  in the stacks of libdispatch's workers that wait for work
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "roots.h"

// ------------------------------------------------------------------------------------------------------ system_frames.c

// The innermost frames of the thread that takes the snapshot: the recorder's and, at the end of the program, the C
// library's. All that they hold of the program's are the registers that they have saved for their callers; the rest of
// their memory shows what functions have left there that returned long ago.

enum { GP_SYSTEM_FRAMES_MOST = 32, GP_SYSTEM_SLOTS_MOST = 6 * GP_SYSTEM_FRAMES_MOST };

typedef struct gp_system_frames {
    uintptr_t start, end;  // the frames, with the caller's own left out; equal: there are none
    size_t count;
    uintptr_t slots[GP_SYSTEM_SLOTS_MOST];  // where registers are saved
} gp_system_frames;

// Whether the code at `place` is the recorder's or the C library's.
bool gp_is_system_frame(uintptr_t place);

// Follows the stack of `caller` up to the first frame of other code, or whose saved registers are not known.
void gp_system_frames_find(const gp_stopped_thread *caller, gp_system_frames *frames);

// ----------------------------------------------------------------------------------------------------- parked_threads.c

// Workers of libdispatch's pool that wait for work. Nothing that their functions hold is the program's: what their
// stacks show was left there by work that is done, and would hide what it has lost.

// Finds the threads that stand in the kernel with nothing on their stacks but frames of the system's libraries
// (gp_stopped_thread.runs_no_code): none of the program's initializers or moves is under way there. Among them are the
// parked workers, with the place where their frames end (parked_end). Clears stale registers of threads that wake others.
//
// Parked is only who waits in a futex call, whose stack is the C library's wait and thread start around libdispatch's
// worker function at its one call of dispatch_semaphore_wait. A function of the program that has ended in a tail call
// leaves no frame, but what called it then is another call of the worker's. Workers of a libdispatch that is linked into
// the program are not recognised.
void gp_parked_threads_note(const gp_stopped_threads *threads);
