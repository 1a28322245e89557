// Actions and masks of signals, set past libc: the recorded program's own idea of them, and any interposer, stay as
// they are.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef void (*gp_signal_handler)(int signal, siginfo_t *info, void *context);

void gp_signal_handle(int signal, gp_signal_handler handler, unsigned long flags);

// Sets a signal to SIG_DFL or SIG_IGN.
void gp_signal_reset(int signal, void (*disposition)(int));

// Whether the signal has its default action.
bool gp_signal_is_unused(int signal);

// The handler that the kernel calls, or SIG_DFL or SIG_IGN.
const void *gp_signal_installed(int signal);

// Unblocks one signal of the calling thread.
void gp_signal_unblock(int signal);

// Blocks the signals that have a handler, in the calling thread; those of faults and `kept` (a bit each) stay open. Returns
// the mask of before, for gp_signal_set_mask. A system call for each signal.
uint64_t gp_signal_block_handled(uint64_t kept);

// Sets the calling thread's mask, and returns what it was.
uint64_t gp_signal_set_mask(uint64_t mask);

// The signal that stops threads for a heap snapshot. No thread may block it: the masks of the program are interposed.

// Its number; before it is chosen the one that it will be unless the program handles it. 0: no snapshots are taken.
int gp_stop_signal(void);

// Chooses the highest real-time signal that nobody handles: programs and libraries take theirs from the ends.
void gp_stop_signal_choose(void);

// No snapshots will be taken: no signal is needed.
void gp_stop_signal_do_without(void);

// Whether it was sent by gp_stop_signal_send: the program may use the same one.
bool gp_stop_signal_is_ours(const siginfo_t *info);

// Sends it to a thread of this process. Negative: the thread is gone, or the kernel has no room. Async-signal-safe.
long gp_stop_signal_send(uint32_t thread);
