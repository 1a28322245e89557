// Uses the very signal by which the recorder stops threads. Takes what is done with it: handle, default, ignore, or look.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAKEN = 62, VALUE = 4711, SECOND_US = 1000000 };

static atomic_int calls, values;
static atomic_int reader;
static int ends[2];

static void require(bool holds, const char *what) {
    if (holds)
        return;
    puts(what);
    exit(1);
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)context;
    require(signal == TAKEN, "another signal came");
    calls++;
    if (info->si_code == SI_QUEUE)
        values += info->si_value.sival_int;
}

static void take(void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags}, seen;
    require(sigaction(TAKEN, NULL, &seen) == 0 && seen.sa_handler == SIG_DFL, "somebody has the signal");
    sigaction(TAKEN, &action, NULL);
    sigaction(TAKEN, NULL, &seen);
    require(seen.sa_sigaction == handler, "the program's handler is not told to it");
}

// Waits for a byte that nobody writes.
static void *read_pipe(void *result) {
    char byte;
    reader = gettid();
    errno = 0;
    const ssize_t count = read(ends[0], &byte, 1);
    *(int *)result = count == 1 ? 0 : errno;
    return NULL;
}

static bool waits(void) {
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)reader);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const bool read = fgets(text, sizeof text, file) && strncmp(text, "0 ", 2) == 0;
    fclose(file);
    return read;
}

// A call that the program itself wants cut short is; one that a snapshot interrupts is not.
static void interrupt_reader(void) {
    pthread_t thread;
    int result = -1;
    require(pipe(ends) == 0, "no pipe");
    pthread_create(&thread, NULL, read_pipe, &result);
    while (!waits())
        usleep(1000);
    usleep(SECOND_US / 2);
    require(result == -1, "a call was cut short that nobody interrupted");
    require(pthread_kill(thread, TAKEN) == 0, "the thread is gone");
    pthread_join(thread, NULL);
    require(result == EINTR, "the program's signal did not cut the call short");
}

static void handle(void) {
    take(on_signal, 0);
    raise(TAKEN);
    kill(getpid(), TAKEN);
    sigqueue(getpid(), TAKEN, (union sigval){.sival_int = VALUE});
    while (calls < 3)
        usleep(1000);
    require(calls == 3 && values == VALUE, "the handler was not called for each signal");
    interrupt_reader();
    require(calls == 4, "the handler was called for a signal that the program did not send");
}

// What the kernel says of the signals that have handlers, whatever stands between.
static bool kernel_has_handler(void) {
    unsigned long handled = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "SigCgt: %lx", &handled);
    if (file)
        fclose(file);
    return handled >> (TAKEN - 1) & 1;
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);  // whoever starts the program may have blocked them
    setvbuf(stdout, NULL, _IONBF, 0);
    if (strcmp(what, "handle") == 0)
        handle();
    if (strcmp(what, "ignore") == 0) {
        signal(TAKEN, SIG_IGN);
        raise(TAKEN);
    }
    if (strcmp(what, "look") == 0)
        require(!kernel_has_handler(), "a handler is visible");
    puts("well");
    if (strcmp(what, "default") == 0)
        raise(TAKEN);
}
