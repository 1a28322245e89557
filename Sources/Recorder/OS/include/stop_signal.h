// The signal that stops threads for a heap snapshot. No thread may block it: the masks of the program are interposed.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

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
