// system and popen start a shell inside the C library, past posix_spawn.
#ifdef GP_PRELOADED
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inheritance.h"
#include "next.h"
#include "successor.h"

#define EXPORT __attribute__((visibility("default")))

static const char shell[] = "/bin/sh";

enum { LONGEST_ARGUMENT = 128 << 10 };  // MAX_ARG_STRLEN of the kernel

// While commands run, an interrupt from the terminal is theirs. The first of them ignores, the last restores.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned running;
static struct sigaction interrupt, quit;

static void leave_interrupts(void) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    pthread_mutex_lock(&lock);
    if (running++ == 0) {
        sigaction(SIGINT, &ignore, &interrupt);
        sigaction(SIGQUIT, &ignore, &quit);
    }
    pthread_mutex_unlock(&lock);
}

static void take_interrupts(void) {
    pthread_mutex_lock(&lock);
    if (--running == 0) {
        sigaction(SIGINT, &interrupt, NULL);
        sigaction(SIGQUIT, &quit, NULL);
    }
    pthread_mutex_unlock(&lock);
}

typedef struct {
    pid_t child;
    sigset_t mask;
} command;

static void give_up(void *context) {
    command *running_command = context;
    kill(running_command->child, SIGKILL);
    while (waitpid(running_command->child, NULL, 0) < 0 && errno == EINTR)
        ;
    take_interrupts();
    sigprocmask(SIG_SETMASK, &running_command->mask, NULL);
}

static int start(command *started, const char *line) {
    posix_spawnattr_t attributes;
    sigset_t reset;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &started->mask);
    sigemptyset(&reset);
    if (interrupt.sa_handler != SIG_IGN)
        sigaddset(&reset, SIGINT);
    if (quit.sa_handler != SIG_IGN)
        sigaddset(&reset, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes, &reset);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    char *const arguments[] = {"sh", "-c", (char *)line, NULL};
    int error = posix_spawn(&started->child, shell, NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    return error;
}

// As the C library's, but through the posix_spawn of this library.
static int run(const char *line) {
    command started;
    sigset_t child_ends;
    int status = -1;
    leave_interrupts();
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, &started.mask);
    int error = start(&started, line);
    if (error) {
        status = W_EXITCODE(127, 0);
    } else {
        pid_t ended;
        pthread_cleanup_push(give_up, &started);
        do
            ended = waitpid(started.child, &status, 0);
        while (ended < 0 && errno == EINTR);
        pthread_cleanup_pop(0);
        if (ended != started.child)
            status = -1;
    }
    take_interrupts();
    sigprocmask(SIG_SETMASK, &started.mask, NULL);
    if (error)
        errno = error;
    return status;
}

EXPORT int system(const char *line) {
    if (gp_inheritance_by_children())
        return line ? run(line) : run("exit 0") == 0;
    if (line)
        gp_successor_by_spawn(shell, false);
    return GP_NEXT(system)(line);
}

// The C library starts the shell with the program's environment, which stays as it is: the command puts the recorder's
// variables into that of a second shell, which takes the first one's place.
EXPORT FILE *popen(const char *line, const char *mode) {
    __typeof__(&popen) next = GP_NEXT(popen);
    if (gp_successor_by_spawn(shell, false) != GP_SUCCESSOR_RECORDED || !line)
        return next(line, mode);
    const size_t size = gp_inheritance_command_size(line);
    void *room = size <= LONGEST_ARGUMENT ? GP_ROOM(size) : NULL;
    if (!room) {
        gp_successor_refused(shell, "was given a command that is too long");
        return next(line, mode);
    }
    FILE *stream = next(gp_inheritance_command(line, room), mode);
    int error = errno;
    GP_LEAVE_ROOM(room, size);
    errno = error;
    return stream;
}
#endif
