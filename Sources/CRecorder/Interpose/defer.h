// A program that links the recorder may be run under a preloaded one. The executable's functions come before those of
// the preloaded library: each then only leads on to it.
#pragma once

#include <signal.h>
#include <stdbool.h>

// Ends the function with the same call of the preloaded library; its caller is seen there as the caller.
#define GP_DEFER(call)                                                                                                 \
    if (GP_DEFERS)                                                                                                     \
    __attribute__((musttail)) return call

#ifdef GP_PRELOADED
#define GP_DEFERS false
#else
#define GP_DEFERS __builtin_expect(gp_defers, 0)
#endif

typedef void (*gp_signal_handler)(int);

typedef struct {
    void (*exit)(int status);
    int (*sigaction)(int signal, const struct sigaction *action, struct sigaction *old);
    gp_signal_handler (*signal)(int signal, gp_signal_handler handler);
    gp_signal_handler (*sysv_signal)(int signal, gp_signal_handler handler);
    int (*pthread_sigmask)(int how, const sigset_t *set, sigset_t *old);
    int (*sigprocmask)(int how, const sigset_t *set, sigset_t *old);
} gp_deferred;

extern __attribute__((visibility("hidden"))) bool gp_defers;
extern __attribute__((visibility("hidden"))) gp_deferred gp_next;

// Looks for a preloaded recorder, once, when only one thread runs.
void gp_defer_prepare(void);
