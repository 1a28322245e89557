// Words of stacks that hold nothing although they may look like pointers: what functions that have returned left there. Taken for
// pointers they would hide leaks. What else a search passes over it finds in the memory itself (StaleWords.swift).
//
//     system_frames   in the frames that end the program: all but the registers that they have saved
//     ended_stacks    in the stacks of threads that have ended
//     parked_threads  in the stacks of libdispatch's workers that wait for work
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block_index.h"
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

// ------------------------------------------------------------------------------------------------------- ended_stacks.c

// Stacks of ended threads: libc keeps them, with the control block at their outer end, for the next threads. What lies
// there is nobody's, but for the result of a thread that may still be joined.

typedef struct {
    gp_address_range range;
    uintptr_t control_block;
    bool is_joined;  // or detached: nobody can ask for its result
} gp_ended_stack;

struct gp_ended_stacks {
    size_t count;
    gp_ended_stack *stacks;  // ascending
};

// Learns where this libc keeps what is asked of a control block. Before the first snapshot, outside of malloc.
void gp_ended_stacks_prepare(void);

// Room for what is found. False: no memory.
bool gp_ended_stacks_begin(gp_ended_stacks *ended);

// A visitor of gp_roots_each_lasting, for roots whose `ended` is NULL: adds what lies in mapped memory. Stacks that the
// program made itself are its own memory, also after their threads.
void gp_ended_stacks_note(const gp_root_words *words, void *ended);

// The first one that ends above `from` and starts below `end`; start == end: none.
gp_address_range gp_ended_stack_first(const gp_ended_stacks *ended, uintptr_t from, uintptr_t end);

// Calls `visit` for the words of control blocks whose threads may still be joined, but for the thread's argument.
void gp_ended_stacks_each_result(const gp_ended_stacks *ended, gp_range_visitor *visit, void *context);
