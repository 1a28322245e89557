// The waiting calls of waits.c as the kernel has them, for fully static programs: nothing stands behind the recorder there.
// They are no cancellation points.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

int gp_static_ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int gp_static_pselect(int count, fd_set *readable, fd_set *writable, fd_set *special, const struct timespec *timeout,
                      const sigset_t *mask);
int gp_static_epoll_wait(int queue, struct epoll_event *events, int capacity, int timeout);
int gp_static_epoll_pwait(int queue, struct epoll_event *events, int capacity, int timeout, const sigset_t *mask);
int gp_static_sigsuspend(const sigset_t *mask);
int gp_static_sigwait(const sigset_t *set, int *signal);
int gp_static_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int gp_static_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
