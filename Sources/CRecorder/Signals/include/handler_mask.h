// The masks that the program's handlers run with. The kernel is given them without the signals that none may block
// (virtual_mask.h); the program is told what it asked for, and a signal that a handler believes to block does nothing to it.
#pragma once

#include <stdint.h>

// The action of `signal` was set. `given`: what the kernel blocks while its handler runs, the signal itself among it.
// `left_out`: what it was asked to block beside that.
void gp_handler_mask_set(int signal, uint64_t given, uint64_t left_out);

// What was left out of the mask of this signal's action.
uint64_t gp_handler_mask_left_out(int signal);

// The signals of faults that a thread whose real mask is this one believes to block, because it runs a handler whose mask
// they were left out of: no other code blocks nearly all signals but these. Async-signal-safe.
uint64_t gp_handler_believes(uint64_t real);
