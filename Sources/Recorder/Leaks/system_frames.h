// The innermost frames of the thread that takes the snapshot: the recorder's and, at the end of the program, the C
// library's. All that they hold of the program's are the registers that they have saved for their callers; the rest of
// their memory shows what functions have left there that returned long ago: taken for pointers, it would hide leaks. What else
// of stacks holds nothing whoever searches tells by their frames (IdleThreads.swift).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stop_threads.h"

enum { GP_SYSTEM_FRAMES_MOST = 32, GP_SYSTEM_SLOTS_MOST = 6 * GP_SYSTEM_FRAMES_MOST };

typedef struct gp_system_frames {
    uintptr_t start, end;  // the frames, with the caller's own left out; equal: there are none
    size_t count;
    uintptr_t slots[GP_SYSTEM_SLOTS_MOST];  // where registers are saved
} gp_system_frames;

// Follows the stack of `caller` up to the first frame of other code, or whose saved registers are not known.
void gp_system_frames_find(const gp_stopped_thread *caller, gp_system_frames *frames);

// Clears the registers of a stopped thread that nothing will use: it stands behind the C library's call that wakes another.
void gp_stale_registers_forget(gp_stopped_thread *thread);
