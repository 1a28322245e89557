#include "kernel_signals.h"

#include <stdint.h>

#include "../recorder/system.h"

typedef struct {
    void *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
} kernel_action;

enum { SA_HAS_RESTORER = 0x04000000 };

// These very bytes, without unwind information, are how unwinders know a signal's frame.
void gp_return_from_handler(void) __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".hidden gp_return_from_handler\n"
        ".globl gp_return_from_handler\n"
        ".type gp_return_from_handler, @function\n"
        "nop\n"
        "gp_return_from_handler:\n"
        "movq $15, %rax\n"
        "syscall\n"
        ".size gp_return_from_handler, . - gp_return_from_handler\n");

static void set(int signal, void *handler, unsigned long flags, uint64_t mask) {
    kernel_action action = {handler, flags | SA_HAS_RESTORER, gp_return_from_handler, mask};
    gp_system(rt_sigaction, signal, &action, NULL, sizeof action.mask);
}

void gp_signal_handle(int signal, gp_signal_handler handler, unsigned long flags) {
    set(signal, (void *)handler, flags | SA_SIGINFO, 0);
}

void gp_signal_handle_undisturbed(int signal, gp_signal_handler handler, unsigned long flags) {
    set(signal, (void *)handler, flags | SA_SIGINFO, UINT64_MAX);
}

void gp_signal_reset(int signal, void (*disposition)(int)) {
    set(signal, (void *)disposition, 0, 0);
}

bool gp_signal_is_unused(int signal) {
    kernel_action action = {0};
    return gp_system(rt_sigaction, signal, NULL, &action, sizeof action.mask) == 0 && action.handler == SIG_DFL;
}

void gp_signal_unblock(int signal) {
    uint64_t mask = 1ull << (signal - 1);
    gp_system(rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, sizeof mask);
}

void gp_signal_block_all(bool block) {
    uint64_t mask = block ? ~0ull : 0;
    gp_system(rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
}
