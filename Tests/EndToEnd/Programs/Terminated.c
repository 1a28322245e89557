// Is sent a signal that ends it, unless it has an action for it; parent: sends it to who started it. Takes what it does with the signal, and the signal's number;
// one block of 4,321 bytes is lost.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HANDLED = 7, LOST_BYTES = 4321, MANY = 2000000, PAUSE_US = 1000 };

static void *volatile kept;

__attribute__((noinline)) static void lose(void) {
    void *volatile lost = malloc(LOST_BYTES);
    memset(lost, 1, LOST_BYTES);
    lost = NULL;
}

// Overwrites what calls have left of the lost block.
__attribute__((noinline)) static void clear_stack(void) {
    volatile char room[16384];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static void handle(int signal) {
    (void)signal;
    _exit(HANDLED);
}

static void *send_later(void *signal) {
    usleep(20 * PAUSE_US);
    kill(getpid(), *(int *)signal);
    return NULL;
}

static void *allocate(void *context) {
    (void)context;
    for (;;)
        free(malloc(16));
}

// Whoever started the program may have blocked or ignored it.
static void accept_signal(int sent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct sigaction found;
    sigaction(sent, NULL, &found);
    if (found.sa_handler == SIG_IGN)
        signal(sent, SIG_DFL);
}

// Whether the program is shown the default action, however it asks.
static int is_default(int sent) {
    struct sigaction found;
    sigaction(sent, NULL, &found);
    if (found.sa_handler != SIG_DFL || found.sa_flags & SA_SIGINFO || signal(sent, handle) != SIG_DFL)
        return 0;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(sent, &standard, &found);
    return found.sa_handler == handle && signal(sent, SIG_DFL) == SIG_DFL;
}

// Sends the signal until the parent is gone.
static void insist(int sent) {
    int ready[2];
    char byte = 0;
    const pid_t parent = getpid();
    if (pipe(ready) != 0)
        abort();
    if (fork() == 0) {
        if (read(ready[0], &byte, 1) == 1)
            while (getppid() == parent && kill(parent, sent) == 0)
                usleep(PAUSE_US);
        _exit(0);
    }
    for (long i = 0; i < MANY; i++) {
        void **next = malloc(sizeof *next);
        *next = kept;
        kept = next;
    }
    if (write(ready[1], &byte, 1) != 1)
        abort();
}

static int end_of_child(int sent) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        raise(sent);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

int main(int count, char **arguments) {
    const char *way = count > 2 ? arguments[1] : "";
    int sent = count > 2 ? atoi(arguments[2]) : SIGINT;
    pthread_t thread;
    alarm(60);  // should the signal not end it
    accept_signal(sent);
    lose();
    clear_stack();
    if (strcmp(way, "ask") == 0)
        puts(is_default(sent) ? "default" : "something else");
    if (strcmp(way, "child") == 0)
        printf("child %d\n", end_of_child(sent));
    if (strcmp(way, "handle") == 0)
        signal(sent, handle);
    if (strcmp(way, "ignore") == 0)
        signal(sent, SIG_IGN);
    fflush(stdout);
    if (strcmp(way, "insist") == 0) {
        insist(sent);
    } else if (strcmp(way, "allocate") == 0) {
        pthread_create(&thread, NULL, send_later, &sent);
        allocate(NULL);
    } else {
        kill(strcmp(way, "parent") == 0 ? getppid() : getpid(), sent);
    }
    if (strcmp(way, "insist") == 0 || strcmp(way, "parent") == 0)
        for (;;)
            pause();
    return 0;
}
