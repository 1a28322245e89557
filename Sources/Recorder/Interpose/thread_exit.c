// What the functions of a main thread hold that ends by pthread_exit: dispatchMain() and an asynchronous `main` do.
#include <pthread.h>
#include <threads.h>

#include "arch.h"
#include "heap.h"
#include "next.h"
#include "recording.h"

static __typeof__(&pthread_exit) next_exit;

static void __attribute__((constructor(101))) find_next(void) {
    next_exit = GP_NEXT_OR(pthread_exit, __pthread_exit);
}

#ifndef GP_PRELOADED
// Has a fully static program take __pthread_exit along, which nothing else there may need.
static void __attribute__((used)) take_along(void) {
    thrd_exit(0);
}
#endif

GP_EXPORT _Noreturn void pthread_exit(void *value) {
    if (gp_recording_runs())
        gp_heap_keep_exited_main_stack(GP_CALLER_REGISTERS());
    if (!next_exit)
        find_next();
    next_exit(value);
    __builtin_unreachable();
}
