// The Swift runtime aborts when it refuses something: what it refused is printed before.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch.h"
#include "next.h"
#include "termination.h"
#include "zombies.h"

static void (*next)(void);

// Not when it is needed: the loader may be busy then.
static void __attribute__((constructor(102))) find_next(void) {
    next = GP_NEXT(abort);
}

// As the C library has it, for fully static programs: nothing stands behind the recorder there.
static _Noreturn void end(void) {
    sigset_t signal;
    sigemptyset(&signal);
    sigaddset(&signal, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &signal, NULL);
    raise(SIGABRT);
    sigaction(SIGABRT, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    raise(SIGABRT);
    for (;;)
        _exit(127);
}

GP_EXPORT _Noreturn void abort(void) {
    gp_zombie_aborting(GP_CALLER_REGISTERS());
    // Where the program has a handler that returns, the C library sets the default action itself, past the recorder.
    gp_termination_aborts();
    if (next)
        next();
    end();
}
