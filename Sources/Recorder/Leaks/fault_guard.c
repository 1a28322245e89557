#include "freeze.h"

#include <setjmp.h>
#include <sys/time.h>

#include "arch.h"
#include "system.h"
#include "kernel_signals.h"
#include "arena.h"
#include "memory_map.h"

enum { ALTERNATE_STACK = 65536 };

// Not among the data of an image: the registers in it would be taken for references.
static sigjmp_buf *escape;
static volatile sig_atomic_t guarded;
static uintptr_t last_page;

// Where no memory was, as in a guard region or behind the end of a file, nothing is missed.
static bool is_missed(int signal, int code) {
    return signal == SIGSEGV ? code != SEGV_MAPERR : code != BUS_ADRERR;
}

static void unguarded_fault(int signal, siginfo_t *info) {
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

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (guarded) {
        guarded = 0;
        siglongjmp(*escape, 1);
    }
    if (signal != SIGALRM)
        unguarded_fault(signal, info);
}

void gp_fault_guard_prepare(void) {
    escape = gp_arena_allocate(sizeof *escape);
    stack_t stack = {.ss_sp = gp_system_pages(ALTERNATE_STACK), .ss_size = ALTERNATE_STACK};
    if (stack.ss_sp)
        gp_system(sigaltstack, &stack, NULL);
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGALRM, SIGSYS};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        gp_signal_handle(signals[i], on_fault, SA_ONSTACK | SA_NODEFER);
}

static void set_timer(unsigned milliseconds) {
    struct itimerval timer = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000}};
    gp_system(setitimer, ITIMER_REAL, &timer, NULL);
}

bool gp_fault_guard_run(void (*work)(void *context), void *context, unsigned milliseconds) {
    bool finished = false;
    if (!escape)
        return false;
    if (sigsetjmp(*escape, 0) == 0) {
        guarded = 1;
        set_timer(milliseconds);
        work(context);
        finished = true;
    }
    guarded = 0;
    set_timer(0);
    return finished;
}
