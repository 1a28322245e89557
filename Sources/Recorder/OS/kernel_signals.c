#include "kernel_signals.h"

#include "system.h"
#include "virtual_mask.h"
#include "kernel_entries.h"

typedef struct {
    void *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
} kernel_action;

enum { SA_HAS_RESTORER = 0x04000000 };

static void set(int signal, void *handler, unsigned long flags, uint64_t mask) {
    kernel_action action = {handler, flags | SA_HAS_RESTORER, gp_return_from_handler, mask};
    gp_system(rt_sigaction, signal, &action, NULL, sizeof action.mask);
}

void gp_signal_handle(int signal, gp_signal_handler handler, unsigned long flags) {
    set(signal, (void *)handler, flags | SA_SIGINFO, 0);
}

void gp_signal_reset(int signal, void (*disposition)(int)) {
    set(signal, (void *)disposition, 0, 0);
}

static kernel_action action_of(int signal) {
    kernel_action action = {.handler = SIG_IGN};
    gp_system(rt_sigaction, signal, NULL, &action, sizeof action.mask);
    return action;
}

const void *gp_signal_installed(int signal) {
    return action_of(signal).handler;
}

bool gp_signal_is_unused(int signal) {
    return action_of(signal).handler == SIG_DFL;
}

void gp_signal_unblock(int signal) {
    uint64_t mask = 1ull << (signal - 1);
    gp_system(rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, sizeof mask);
}

// What a fault raises is never put off: the kernel would end the program.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};

uint64_t gp_signal_block_handled(uint64_t kept) {
    enum { SIGNALS = 64 };
    uint64_t handled = 0, before = 0;
    for (int signal = 1; signal <= SIGNALS; signal++) {
        const void *handler = action_of(signal).handler;
        if (handler != SIG_DFL && handler != SIG_IGN)
            handled |= gp_signal_bit(signal);
    }
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        handled &= ~gp_signal_bit(faults[i]);
    handled &= ~kept;
    gp_system(rt_sigprocmask, SIG_BLOCK, &handled, &before, sizeof handled);
    return before;
}

uint64_t gp_signal_set_mask(uint64_t mask) {
    uint64_t before = 0;
    gp_system(rt_sigprocmask, SIG_SETMASK, &mask, &before, sizeof mask);
    return before;
}
