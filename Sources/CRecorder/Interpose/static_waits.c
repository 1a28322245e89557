#include "static_waits.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GP_KERNEL_MASK_SIZE = 8 };

// The kernel writes into the time that it is given what is left of it.
int gp_static_ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    struct timespec copy = timeout ? *timeout : (struct timespec){0};
    return (int)syscall(SYS_ppoll, polled, count, timeout ? &copy : NULL, mask, GP_KERNEL_MASK_SIZE);
}

int gp_static_pselect(int count, fd_set *readable, fd_set *writable, fd_set *special, const struct timespec *timeout,
                      const sigset_t *mask) {
    struct timespec copy = timeout ? *timeout : (struct timespec){0};
    const struct {
        const sigset_t *mask;
        size_t size;
    } given = {mask, GP_KERNEL_MASK_SIZE};
    return (int)syscall(SYS_pselect6, count, readable, writable, special, timeout ? &copy : NULL, &given);
}

int gp_static_epoll_wait(int queue, struct epoll_event *events, int capacity, int timeout) {
    return gp_static_epoll_pwait(queue, events, capacity, timeout, NULL);
}

int gp_static_epoll_pwait(int queue, struct epoll_event *events, int capacity, int timeout, const sigset_t *mask) {
    return (int)syscall(SYS_epoll_pwait, queue, events, capacity, timeout, mask, GP_KERNEL_MASK_SIZE);
}

int gp_static_sigsuspend(const sigset_t *mask) {
    return (int)syscall(SYS_rt_sigsuspend, mask, GP_KERNEL_MASK_SIZE);
}

int gp_static_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout) {
    int signal = (int)syscall(SYS_rt_sigtimedwait, set, info, timeout, GP_KERNEL_MASK_SIZE);
    // As the C library has it: a signal of raise() looks like one of kill().
    if (signal >= 0 && info && info->si_code == SI_TKILL)
        info->si_code = SI_USER;
    return signal;
}

int gp_static_sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    return gp_static_sigtimedwait(set, info, NULL);
}

int gp_static_sigwait(const sigset_t *set, int *signal) {
    int result, saved = errno;
    do
        result = gp_static_sigtimedwait(set, NULL, NULL);
    while (result < 0 && errno == EINTR);
    int error = result < 0 ? errno : 0;
    errno = saved;
    if (error == 0)
        *signal = result;
    return error;
}
