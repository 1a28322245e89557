#include "freeze.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "arch.h"
#include "read_clock.h"
#include "system.h"
#include "kernel_signals.h"
#include "progress_timeout.h"

enum { SIGNAL_COUNT = 64 };
static const uint64_t WAIT_NS = 10000000, SHORT_WAIT_NS = 1000000;

gp_freeze_page *gp_freeze_prepare(void) {
    static gp_freeze_page *page;
    static long owner;  // a child made by fork has its parent's
    const long process = gp_system(getpid, 0);
    if (page && owner != process)
        gp_system(munmap, page, GP_PAGE);
    if (!page || owner != process) {
        long address = gp_system_map(GP_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        page = address < 0 && address > -4096 ? NULL : (gp_freeze_page *)address;
        owner = process;
    }
    return page;
}

// No handler of the program's may run in the child before it has given them all up.
long gp_freeze_clone(void) {
    const uint64_t before = gp_signal_set_mask(UINT64_MAX);
    long child = gp_system(clone, 0, 0, 0, 0, 0);
    // An emulator (qemu) makes only children whose end is signalled, which a program without a handler does not notice.
    if (GP_MAY_BE_EMULATED && child == -EINVAL && gp_signal_is_unused(SIGCHLD))
        child = gp_system(clone, SIGCHLD, 0, 0, 0, 0);
    if (child != 0)
        gp_signal_set_mask(before);
    return child;
}

// What the terminal or the program sends to the whole process group is not meant for the child.
static bool is_own(int signal) {
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP ||
           signal == SIGSYS || signal == SIGABRT || signal == SIGALRM || signal == SIGCHLD;
}

// Of all processes that would free memory the kernel chooses this one.
static void be_first_where_memory_is_short(void) {
    const long file = gp_system(openat, AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    gp_system(write, file, "1000", 4);
    gp_system(close, file);
}

// What is read here needs a descriptor at times, and the program may have none left.
static void give_up_standard_files(void) {
    for (int file = 0; file <= 2; file++)
        gp_system(close, file);
}

void gp_freeze_enter_child(long parent) {
    give_up_standard_files();
    be_first_where_memory_is_short();
    gp_system(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    // The parent may have ended before. 0: it is of another process namespace, where its number is not known.
    const long now = gp_system(getppid, 0);
    while (now != parent && now != 0)
        gp_system(exit_group, 0);
    for (int signal = 1; signal <= SIGNAL_COUNT; signal++)
        gp_signal_reset(signal, is_own(signal) ? SIG_DFL : SIG_IGN);
    gp_signal_set_mask(0);
}

void gp_freeze_leave_child(gp_freeze_page *page) {
    atomic_store(&page->done, 1);
    gp_system(futex, &page->done, FUTEX_WAKE, INT32_MAX);
    for (;;)
        gp_system(exit_group, 0);
}

// NULL: it may go on.
static const char *reason_to_end(bool is_over, bool (*is_superseded)(void)) {
    if (is_over)
        return "the analysis of the frozen heap did not come to its end";
    if (is_superseded && is_superseded())
        return "the heap grew on";
    return gp_memory_room() < GP_FREEZE_RESERVE ? "memory became too short for the analysis of the heap" : NULL;
}

const char *gp_freeze_wait(gp_freeze_page *page, long pid, uint32_t seconds, bool (*is_superseded)(void)) {
    const struct timespec pause = gp_timespec(is_superseded ? SHORT_WAIT_NS : WAIT_NS);
    gp_progress_timeout patience = {.last_ns = gp_monotonic_of_kernel(), .progress = atomic_load(&page->progress)};
    const char *reason = NULL;
    for (;;) {
        int status = 0;
        long reaped = gp_system(wait4, pid, &status, __WALL | WNOHANG, NULL);
        // A filter of system calls refuses to say more.
        const bool is_refused = reaped < 0 && reaped != -EINTR && reaped != -ECHILD;
        if (reaped == pid || reaped == -ECHILD || (is_refused && (reason || atomic_load(&page->done)))) {
            if (!reason && !atomic_load(&page->done))
                reason = "the analysis of the frozen heap was ended from outside, as happens where memory is short";
            return reason;
        }
        if (!atomic_load(&page->done))
            gp_system(futex, &page->done, FUTEX_WAIT, 0, &pause);
        else
            gp_system(wait4, pid, &status, __WALL, NULL);
        uint32_t progress = atomic_load(&page->progress);
        bool is_over = gp_progress_timed_out(&patience, gp_monotonic_of_kernel(), progress, 2 * WAIT_NS,
                                             (uint64_t)seconds * GP_SECOND_NS);
        if (!reason && !atomic_load(&page->done)) {
            reason = reason_to_end(is_over, is_superseded);
            if (reason)
                gp_system(kill, pid, SIGKILL);
        }
    }
}
