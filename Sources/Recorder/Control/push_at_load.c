// A program that links InstrumentationPush sends its profiles from its start where the environment asks for that.
#ifndef GP_PRELOADED
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

// Defined by that library: begins to send. Called once, on a thread of its own.
extern __attribute__((weak)) void gp_push_from_environment(void);

// In a statically linked program the constructors of Foundation may run after this one: nothing of it is used before they have.
static const struct timespec constructors_have_run = {.tv_sec = 1};

static void *begin(void *unused) {
    struct timespec rest = constructors_have_run;
    while (nanosleep(&rest, &rest) != 0) {
    }
    gp_push_from_environment();
    return unused;
}

static void __attribute__((constructor)) begin_at_load(void) {
    const char *store = gp_push_from_environment ? getenv("GAMEPROF_PUSH_TO") : NULL;
    if (!store || !*store)
        return;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    // Signals of the program go to the program's threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    pthread_create(&thread, &attributes, begin, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}
#endif
