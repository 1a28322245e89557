#include "signals.h"

#include <stdint.h>

#include "../recorder/system.h"

typedef struct {
    void *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
} kernel_action;

enum { SA_HAS_RESTORER = 0x04000000 };

__attribute__((naked, used)) static void return_from_handler(void) {
    __asm__("mov $15, %eax\n\tsyscall");
}

static void set(int signal, void *handler, unsigned long flags) {
    kernel_action action = {handler, flags | SA_HAS_RESTORER, return_from_handler, 0};
    gp_system(rt_sigaction, signal, &action, NULL, sizeof action.mask);
}

void gp_signal_handle(int signal, gp_signal_handler handler, unsigned long flags) {
    set(signal, (void *)handler, flags | SA_SIGINFO);
}

void gp_signal_reset(int signal, void (*disposition)(int)) {
    set(signal, (void *)disposition, 0);
}

bool gp_signal_is_unused(int signal) {
    kernel_action action = {0};
    return gp_system(rt_sigaction, signal, NULL, &action, sizeof action.mask) == 0 && action.handler == SIG_DFL;
}

void gp_signal_block_all(bool block) {
    uint64_t mask = block ? ~0ull : 0;
    gp_system(rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
}
