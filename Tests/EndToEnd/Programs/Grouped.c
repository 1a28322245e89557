// Sends signals to its own process group all the time. A handler that runs in another process than this one says so.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCKS = 300000, ROUNDS = 600, PAUSE_US = 2000 };

static pid_t self;
static void **list;

static void on_signal(int signal) {
    (void)signal;
    static const char text[] = "a handler ran elsewhere\n";
    if (getpid() != self)
        (void)!write(STDOUT_FILENO, text, sizeof text - 1);
}

static void *send_signals(void *context) {
    static const int signals[] = {SIGUSR1, SIGINT, SIGTERM, SIGPROF};
    for (int i = 0; i < ROUNDS; i++) {
        kill(0, signals[i % 4]);
        usleep(PAUSE_US);
    }
    return context;
}

int main(void) {
    setpgid(0, 0);
    self = getpid();
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
    for (int i = 0; i < BLOCKS; i++) {
        void **block = malloc(48);
        *block = list;
        list = block;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, send_signals, NULL);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
