// A program in states in which somebody may want to attach to it: its argument says which.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void count(int signal) {
    (void)signal;
    caught++;
}

__attribute__((noinline)) static void allocate_here(void) {
    void *volatile block = malloc(48);
    free(block);
}

static void wait_for_line(void) {
    char line[16];
    puts("waiting");
    fflush(stdout);
    while (!fgets(line, sizeof line, stdin) && !feof(stdin))
        clearerr(stdin);
}

static void *allocate_for_ever(void *nothing) {
    for (;;) {
        allocate_here();
        usleep(100);
    }
    return nothing;
}

int main(int argc, char **argv) {
    const char *const state = argc > 1 ? argv[1] : "";
    if (strcmp(state, "busy") == 0) {
        puts("waiting");
        fflush(stdout);
        for (volatile unsigned long i = 0;; i++)
            if (i % 1000 == 0)
                allocate_here();
    }
    if (strcmp(state, "masked") == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
    }
    if (strcmp(state, "handled") == 0) {
        signal(62, count);
        raise(62);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, allocate_for_ever, NULL);
    if (strcmp(state, "forked") == 0) {
        const pid_t child = fork();
        if (child == 0) {
            for (const pid_t parent = getppid(); getppid() == parent;) {
                allocate_here();
                usleep(100);
            }
            _exit(0);
        }
        printf("child %d\n", child);
    }
    wait_for_line();
    if (strcmp(state, "replaced") == 0)
        execl("/proc/self/exe", argv[0], "replacement", NULL);
    if (strcmp(state, "forked") == 0 && fork() == 0) {
        // A child of a process that was recorded before.
        printf("child %d\n", getpid());
        wait_for_line();
        _exit(0);
    }
    if (strcmp(state, "forked") == 0)
        wait_for_line();
    printf("caught %d\n", caught);
    return 3;
}
