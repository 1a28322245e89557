#include "freeze.h"

#include "arch.h"
#include "system.h"
#include "kernel_signals.h"
#include "memory_map.h"

enum { ALTERNATE_STACK = 65536 };

static uintptr_t last_page;

// Where no memory was, as in a guard region or behind the end of a file, nothing is missed.
static bool is_missed(int signal, int code) {
    return signal == SIGSEGV ? code != SEGV_MAPERR : code != BUS_ADRERR;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    uintptr_t page = gp_page_start((uintptr_t)info->si_addr);
    if ((signal != SIGSEGV && signal != SIGBUS) || !page)
        gp_system(exit_group, 3);
    bool again = page == last_page;
    last_page = page;
    if (!again && gp_system(mprotect, page, gp_page_size(), PROT_READ) == 0)
        return;
    long mapped = gp_system(mmap, page, gp_page_size(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (mapped != (long)page)
        gp_system(exit_group, 3);
    if (is_missed(signal, info->si_code))
        gp_unread_note(page, page + gp_page_size(), "the processor refuses it");
}

void gp_fault_guard_prepare(void) {
    stack_t stack = {.ss_sp = gp_system_pages(ALTERNATE_STACK), .ss_size = ALTERNATE_STACK};
    if (stack.ss_sp)
        gp_system(sigaltstack, &stack, NULL);
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        gp_signal_handle(signals[i], on_fault, SA_ONSTACK | SA_NODEFER);
}
