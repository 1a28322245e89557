// Loses a block while a thread runs that no signal can reach.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t deaf;

static void *be_deaf(void *context) {
    uint64_t all = UINT64_MAX;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
    sem_post(&deaf);
    for (;;)
        pause();
    return context;
}

static __attribute__((noinline)) void lose(void) {
    char *block = malloc(1234);
    memset(block, 7, 1234);
    printf("lost %d\n", block[100]);
}

int main(void) {
    pthread_t thread;
    sem_init(&deaf, 0, 0);
    lose();
    pthread_create(&thread, NULL, be_deaf, NULL);
    sem_wait(&deaf);
    return 0;
}
