// The exec family: the recording ends. One that the tool asked for is handed on to the program that takes this one's place,
// which writes a trace of its own; what GAMEPROF asks for stays in the environment, for a successor that links a recorder too.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exec_environment.h"
#include "forks.h"
#include "next.h"
#include "recording.h"
#include "stop_mask.h"
#include "signal_chain.h"
#include "exec_propagation.h"

// Looked up at load: the loader's lock may be held for ever in a child made by fork.
static struct {
    __typeof__(&execve) execve;
    __typeof__(&execvpe) execvpe;
    __typeof__(&fexecve) fexecve;
    __typeof__(&execveat) execveat;
} next;

static void __attribute__((constructor(102))) look_up(void) {
    next.execve = GP_NEXT_OR(execve, __execve);
    next.execvpe = GP_NEXT_OR(execvpe, __execvpe);
    next.fexecve = GP_NEXT(fexecve);
    next.execveat = GP_NEXT(execveat);
}

typedef struct {
    enum { BY_PATH, BY_SEARCH, BY_DESCRIPTOR, BY_FOLDER } how;
    const char *file;
    int descriptor, flags;
    char *const *arguments;
} program;

static int call_next(const program *successor, char *const *environment) {
    if (!next.execve)
        look_up();
    switch (successor->how) {
    case BY_PATH:
        return next.execve(successor->file, successor->arguments, environment);
    case BY_SEARCH:
        return next.execvpe(successor->file, successor->arguments, environment);
    case BY_DESCRIPTOR:
        if (next.fexecve)
            return next.fexecve(successor->descriptor, successor->arguments, environment);
        return (int)syscall(SYS_execveat, successor->descriptor, "", successor->arguments, environment, AT_EMPTY_PATH);
    case BY_FOLDER:
        if (next.execveat)
            return next.execveat(successor->descriptor, successor->file, successor->arguments, environment,
                                 successor->flags);
        return (int)syscall(SYS_execveat, successor->descriptor, successor->file, successor->arguments, environment,
                            successor->flags);
    }
    return -1;
}

static int run(const program *successor, char *const *environment) {
    gp_signal_chain_hand_on();
    gp_forks_replace(true);
    int result = call_next(successor, environment), error = errno;
    gp_forks_replace(false);
    gp_signal_chain_resume();
    errno = error;
    return result;
}

static gp_exec_plan plan_for(const program *successor) {
    char path[64];
    switch (successor->how) {
    case BY_PATH:
        return gp_exec_by_exec(successor->file, false);
    case BY_SEARCH:
        return gp_exec_by_exec(successor->file, true);
    case BY_DESCRIPTOR:
        snprintf(path, sizeof path, "/proc/self/fd/%d", successor->descriptor);
        return gp_exec_by_exec(path, false);
    case BY_FOLDER:
        if (successor->descriptor == AT_FDCWD || successor->file[0] == '/')
            return gp_exec_by_exec(successor->file, false);
    }
    return GP_SUCCESSOR_MISSING;
}

typedef struct {
    const program *successor;
    gp_exec_plan plan;
} question;

static void answer(void *argument) {
    question *asked = argument;
    asked->plan = plan_for(asked->successor);
}

static gp_exec_plan plan_of(const program *successor) {
    question asked = {.successor = successor};
    gp_call_with_room(answer, &asked);
    return asked.plan;
}

static int replace_by_recorded(const program *successor, char *const *environment) {
    const gp_exec_environment_need need = gp_exec_environment_measure(environment);
    void *room = gp_exec_map(need.bytes);
    if (!room)
        return run(successor, environment);
    int result = run(successor, gp_exec_environment_fill(environment, need, room)), error = errno;
    gp_exec_unmap(room, need.bytes);
    errno = error;
    return result;
}

static int replace(const program *successor, char *const *environment) {
    gp_exec_plan kind = plan_of(successor);
    if (kind == GP_SUCCESSOR_MISSING)
        return run(successor, environment);
    gp_recording_finish(GP_STATUS_UNKNOWN, true);
    uint64_t real = gp_show_mask(gp_virtual_mask);
    int result =
        kind == GP_SUCCESSOR_RECORDED ? replace_by_recorded(successor, environment) : run(successor, environment);
    int error = errno;
    gp_hide_mask(real);
    errno = error;
    return result;
}

GP_EXPORT int execve(const char *path, char *const argv[], char *const envp[]) {
    return replace(&(program){.how = BY_PATH, .file = path, .arguments = argv}, envp);
}

GP_EXPORT int execv(const char *path, char *const argv[]) {
    return execve(path, argv, environ);
}

GP_EXPORT int execvpe(const char *file, char *const argv[], char *const envp[]) {
    return replace(&(program){.how = BY_SEARCH, .file = file, .arguments = argv}, envp);
}

GP_EXPORT int execvp(const char *file, char *const argv[]) {
    return execvpe(file, argv, environ);
}

GP_EXPORT int fexecve(int descriptor, char *const argv[], char *const envp[]) {
    return replace(&(program){.how = BY_DESCRIPTOR, .descriptor = descriptor, .arguments = argv}, envp);
}

GP_EXPORT int execveat(int folder, const char *path, char *const argv[], char *const envp[], int flags) {
    return replace(&(program){.how = BY_FOLDER, .file = path, .descriptor = folder, .flags = flags, .arguments = argv},
                   envp);
}

static size_t count_arguments(va_list list) {
    size_t count = 1;
    while (va_arg(list, char *))
        count++;
    return count;
}

// Leaves the list behind the arguments, where execle has the environment.
static void read_arguments(const char *first, va_list *list, char **arguments) {
    *arguments++ = (char *)first;
    while ((*arguments++ = va_arg(*list, char *)))
        ;
}

// Runs `call` with the arguments of the list behind `first` as `arguments`. Each exec may be given any number of them.
#define WITH_ARGUMENTS(first, list, call)                                                                              \
    va_list list, counted;                                                                                             \
    va_start(list, first);                                                                                             \
    va_copy(counted, list);                                                                                            \
    char *vector[(first ? count_arguments(counted) : 0) + 1];                                                          \
    va_end(counted);                                                                                                   \
    if (first)                                                                                                         \
        read_arguments(first, &list, vector);                                                                          \
    else                                                                                                               \
        vector[0] = NULL;                                                                                              \
    int result = call;                                                                                                 \
    va_end(list);                                                                                                      \
    return result

GP_EXPORT int execl(const char *path, const char *first, ...) {
    WITH_ARGUMENTS(first, list, execve(path, vector, environ));
}

GP_EXPORT int execlp(const char *file, const char *first, ...) {
    WITH_ARGUMENTS(first, list, execvpe(file, vector, environ));
}

// Behind the arguments stands the environment.
GP_EXPORT int execle(const char *path, const char *first, ...) {
    WITH_ARGUMENTS(first, list, execve(path, vector, va_arg(list, char **)));
}
