// What is taken at each signal that asks for a sample: the stack, its awaiting callers, what the thread works on.
#pragma once

#include <signal.h>

// Takes a sample of what the signal interrupted, if its thread is sampled. `context`: the handler's ucontext_t. Call in
// the handler; leaves errno alone.
void gp_sample_take(const siginfo_t *info, void *context);
