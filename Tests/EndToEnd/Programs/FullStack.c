// Fills the stacks of threads whose handler has no alternate stack: there is no room for its frame, and the kernel ends the
// program. An argument keeps that many threads waiting meanwhile; with a second one the handler asks for an alternate stack, with a
// third there is none.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void caught(int signal) {
    (void)signal;
    _exit(3);
}

static int deeper(int level) {
    volatile char room[4096];
    room[0] = (char)level;
    return deeper(level + 1) + room[0];
}

static void *wait_for_the_end(void *unused) {
    free(malloc(100));
    pause();
    return unused;
}

static void *fill(void *unused) {
    (void)unused;
    deeper(0);
    return NULL;
}

int main(int count, char **arguments) {
    // On an alternate stack, where the thread has one.
    struct sigaction action = {.sa_handler = caught, .sa_flags = count > 2 ? SA_ONSTACK : 0};
    if (count < 4)
        sigaction(SIGSEGV, &action, NULL);
    pthread_t thread;
    for (int i = count > 1 ? atoi(arguments[1]) : 0; i > 0; i--)
        pthread_create(&thread, NULL, wait_for_the_end, NULL);
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    return 0;
}
