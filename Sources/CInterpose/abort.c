// The Swift runtime aborts when it refuses something: what it refused is told before.
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "next.h"
#include "stack.h"
#include "zombies.h"

static void (*next)(void);

// Not when it is needed: the loader may be busy then.
static void __attribute__((constructor(102))) find_next(void) {
    next = GP_NEXT(abort);
}

__attribute__((visibility("default"))) _Noreturn void abort(void) {
    gp_zombie_aborting(GP_CALLER_REGISTERS());
    if (next)
        next();
    for (;;)
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGABRT);
}
