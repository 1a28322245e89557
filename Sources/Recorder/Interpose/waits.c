// Calls that wait under a mask of their own, or for signals: the stop signal is in none of their masks. And epoll_wait,
// whose time the kernel does not keep: until when it waits is written down for whoever takes it up again.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "next.h"
#include "read_clock.h"
#include "stop_mask.h"
#include "heap.h"

// As the kernel has these calls, for fully static programs: nothing stands behind the recorder there. They are no cancellation
// points.
enum { GP_KERNEL_MASK_SIZE = 8 };

// The kernel writes into the time that it is given what is left of it.
static int static_ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    struct timespec copy = timeout ? *timeout : (struct timespec){0};
    return (int)syscall(SYS_ppoll, polled, count, timeout ? &copy : NULL, mask, GP_KERNEL_MASK_SIZE);
}

static int static_pselect(int count, fd_set *readable, fd_set *writable, fd_set *special,
                          const struct timespec *timeout, const sigset_t *mask) {
    struct timespec copy = timeout ? *timeout : (struct timespec){0};
    const struct {
        const sigset_t *mask;
        size_t size;
    } given = {mask, GP_KERNEL_MASK_SIZE};
    return (int)syscall(SYS_pselect6, count, readable, writable, special, timeout ? &copy : NULL, &given);
}

static int static_epoll_pwait(int queue, struct epoll_event *events, int capacity, int timeout, const sigset_t *mask) {
    return (int)syscall(SYS_epoll_pwait, queue, events, capacity, timeout, mask, GP_KERNEL_MASK_SIZE);
}

static int static_epoll_wait(int queue, struct epoll_event *events, int capacity, int timeout) {
    return static_epoll_pwait(queue, events, capacity, timeout, NULL);
}

static int static_sigsuspend(const sigset_t *mask) {
    return (int)syscall(SYS_rt_sigsuspend, mask, GP_KERNEL_MASK_SIZE);
}

static int static_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout) {
    int signal = (int)syscall(SYS_rt_sigtimedwait, set, info, timeout, GP_KERNEL_MASK_SIZE);
    // As the C library has it: a signal of raise() looks like one of kill().
    if (signal >= 0 && info && info->si_code == SI_TKILL)
        info->si_code = SI_USER;
    return signal;
}

static int static_sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    return static_sigtimedwait(set, info, NULL);
}

static int static_sigwait(const sigset_t *set, int *signal) {
    int result, saved = errno;
    do
        result = static_sigtimedwait(set, NULL, NULL);
    while (result < 0 && errno == EINTR);
    int error = result < 0 ? errno : 0;
    errno = saved;
    if (error == 0)
        *signal = result;
    return error;
}

// The C library's own, looked up when the library is loaded: some of these are called in signal handlers.
static struct {
    __typeof__(&ppoll) ppoll;
    __typeof__(&pselect) pselect;
    __typeof__(&epoll_wait) epoll_wait;
    __typeof__(&epoll_pwait) epoll_pwait;
    __typeof__(&sigsuspend) sigsuspend;
    __typeof__(&sigwait) sigwait;
    __typeof__(&sigwaitinfo) sigwaitinfo;
    __typeof__(&sigtimedwait) sigtimedwait;
} next;

#define FIND(name)                                                                                                     \
    ({                                                                                                                 \
        __typeof__(&name) found = GP_NEXT(name);                                                                       \
        found ? found : static_##name;                                                                                 \
    })
#define NEXT(name) (next.name ? next.name : (next.name = FIND(name)))

static void __attribute__((constructor(101))) find_next(void) {
    NEXT(ppoll), NEXT(pselect), NEXT(epoll_wait), NEXT(epoll_pwait);
    NEXT(sigsuspend), NEXT(sigwait), NEXT(sigwaitinfo), NEXT(sigtimedwait);
}

GP_EXPORT int ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    sigset_t copy;
    return NEXT(ppoll)(polled, count, timeout, gp_mask_without_stop(mask, &copy));
}

GP_EXPORT int pselect(int count, fd_set *readable, fd_set *writable, fd_set *special, const struct timespec *timeout,
                      const sigset_t *mask) {
    sigset_t copy;
    return NEXT(pselect)(count, readable, writable, special, timeout, gp_mask_without_stop(mask, &copy));
}

// Returns what stood there before: a signal's handler may wait too.
static uint64_t wait_until(int milliseconds) {
    uint64_t before = gp_waiting_until;
    bool ends = milliseconds > 0 && (gp_recording_is_dormant || gp_recording_decided_on());
    gp_waiting_until = ends ? gp_read_clock(CLOCK_MONOTONIC) + (uint64_t)milliseconds * 1000000 : 0;
    return before;
}

GP_EXPORT int epoll_wait(int queue, struct epoll_event *events, int capacity, int timeout) {
    uint64_t before = wait_until(timeout);
    int result = NEXT(epoll_wait)(queue, events, capacity, timeout);
    gp_waiting_until = before;
    return result;
}

GP_EXPORT int epoll_pwait(int queue, struct epoll_event *events, int capacity, int timeout, const sigset_t *mask) {
    sigset_t copy;
    uint64_t before = wait_until(timeout);
    int result = NEXT(epoll_pwait)(queue, events, capacity, timeout, gp_mask_without_stop(mask, &copy));
    gp_waiting_until = before;
    return result;
}

GP_EXPORT int sigsuspend(const sigset_t *mask) {
    sigset_t copy;
    return NEXT(sigsuspend)(gp_mask_without_stop(mask, &copy));
}

GP_EXPORT int sigwait(const sigset_t *set, int *signal) {
    sigset_t copy;
    return NEXT(sigwait)(gp_mask_without_stop(set, &copy), signal);
}

GP_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    sigset_t copy;
    return NEXT(sigwaitinfo)(gp_mask_without_stop(set, &copy), info);
}

// The end of the time, or of all times.
static uint64_t end_of(const struct timespec *timeout) {
    uint64_t end;
    const bool fits = timeout->tv_sec >= 0 && !__builtin_mul_overflow((uint64_t)timeout->tv_sec, GP_SECOND_NS, &end) &&
                      !__builtin_add_overflow(end, gp_read_clock(CLOCK_MONOTONIC) + (uint64_t)timeout->tv_nsec, &end);
    return fits ? end : UINT64_MAX;
}

GP_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout) {
    sigset_t copy;
    const sigset_t *wanted = gp_mask_without_stop(set, &copy);
    uint64_t until = timeout ? end_of(timeout) : 0;
    struct timespec rest;
    for (;;) {
        gp_waiting_was_cut = false;
        int result = NEXT(sigtimedwait)(wanted, info, timeout);
        if (result >= 0 || errno != EINTR || !gp_waiting_was_cut || !timeout)
            return result;
        uint64_t present = gp_read_clock(CLOCK_MONOTONIC), left = until > present ? until - present : 0;
        rest = gp_timespec(left);
        timeout = &rest;
    }
}
