#include "virtual_mask.h"

#include <signal.h>
#include <stdatomic.h>

enum { SIGNALS = 65 };

static _Atomic uint64_t given_to[SIGNALS], left_out_of[SIGNALS];
static _Atomic bool faults_were_left_out;

// Only masks of nearly all signals lose these. A few signals that are blocked may be blocked by other code too.
static uint64_t faults_in(uint64_t mask) {
    return mask & (gp_signal_bit(SIGSEGV) | gp_signal_bit(SIGBUS));
}

static bool is_signal(int signal) {
    return signal > 0 && signal < SIGNALS;
}

void gp_handler_mask_set(int signal, uint64_t given, uint64_t left_out) {
    if (!is_signal(signal))
        return;
    atomic_store(&left_out_of[signal], 0);
    // Which the kernel never blocks.
    atomic_store(&given_to[signal], given & ~(gp_signal_bit(SIGKILL) | gp_signal_bit(SIGSTOP)));
    atomic_store(&left_out_of[signal], left_out);
    if (faults_in(left_out))
        atomic_store(&faults_were_left_out, true);
}

uint64_t gp_handler_mask_left_out(int signal) {
    return is_signal(signal) ? atomic_load(&left_out_of[signal]) : 0;
}

uint64_t gp_handler_believes(uint64_t real) {
    uint64_t believed = 0;
    for (int signal = 1; signal < SIGNALS && atomic_load(&faults_were_left_out); signal++) {
        const uint64_t left_out = faults_in(atomic_load(&left_out_of[signal]));
        if (left_out && (atomic_load(&given_to[signal]) & ~real) == 0)
            believed |= left_out;
    }
    return believed;
}
