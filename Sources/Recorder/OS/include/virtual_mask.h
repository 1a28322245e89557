// Signals that no thread may really block while something is recorded: the recorder's own, or a thread could not be
// stopped nor sampled; those of faults once they are chained, or the kernel would end the program at the fault and nobody
// would be told. Each thread is shown the mask that it set, and a signal it believes to block does nothing to it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The signals that this thread believes to block, a bit each.
extern __thread uint64_t gp_virtual_mask __attribute__((tls_model("initial-exec"), visibility("hidden")));

// What it really blocked beside them then. The kernel changes masks as well, when a handler is left by a return or a
// jump: as soon as one of these is no longer blocked the belief is of another time.
extern __thread uint64_t gp_virtual_mask_beside __attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline uint64_t gp_signal_bit(int signal) {
    return signal > 0 && signal <= 64 ? 1ull << (signal - 1) : 0;
}

// Whether a thread whose real mask is this one believes to block the signal.
static inline bool gp_believes_blocked(int signal, uint64_t real) {
    return (gp_virtual_mask & gp_signal_bit(signal)) != 0 && (gp_virtual_mask_beside & ~real) == 0;
}

// A thread begins. `inherited`: what its creator believed to block. What it really blocks of the faults' signals it
// believes to block from now on.
void gp_virtual_mask_begin(uint64_t inherited);

// The masks that the program's handlers run with. The kernel is given them without the signals that none may block
// (see above); the program is told what it asked for, and a signal that a handler believes to block does nothing to it.

// The action of `signal` was set. `given`: what the kernel blocks while its handler runs, the signal itself among it.
// `left_out`: what it was asked to block beside that.
void gp_handler_mask_set(int signal, uint64_t given, uint64_t left_out);

// What was left out of the mask of this signal's action.
uint64_t gp_handler_mask_left_out(int signal);

// The signals of faults that a thread whose real mask is this one believes to block, because it runs a handler whose mask
// they were left out of: no other code blocks nearly all signals but these. Async-signal-safe.
uint64_t gp_handler_believes(uint64_t real);
