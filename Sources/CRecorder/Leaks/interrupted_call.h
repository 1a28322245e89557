// A signal's handler cuts short the system call in which its thread waits: poll, select, sleep and their like return
// EINTR, whatever SA_RESTART says. The program has not asked for the signal that stops it for a snapshot, so the call is
// taken up again as if nothing had been.
#pragma once

#include <ucontext.h>

// The number of the call that the handler has cut short, −1: none, or not known.
long gp_call_interrupted(const ucontext_t *context);

// At the end of the handler: goes on waiting, with the time that is left, and makes the call's result that of the
// interrupted one; or has the call made again when the handler returns. Does nothing when the thread did not wait.
// Does not return when the handler has interrupted its own waiting.
void gp_call_take_up(ucontext_t *context);
