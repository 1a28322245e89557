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
