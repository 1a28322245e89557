// Two threads free one block at the same moment, again and again.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 4000, LOOKS = 1000 };

static void *volatile block;
static _Atomic int begun, ended;

static void wait_for(_Atomic int *round, int number) {
    for (int looks = 0; *round != number; looks++)
        if (looks > LOOKS)
            sched_yield();
}

static void *free_too(void *context) {
    for (int round = 1; round <= ROUNDS; round++) {
        wait_for(&begun, round);
        free(block);
        ended = round;
    }
    return context;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, free_too, NULL);
    for (int round = 1; round <= ROUNDS; round++) {
        block = malloc(48);
        begun = round;
        free(block);
        wait_for(&ended, round);
    }
    pthread_join(other, NULL);
    printf("%d\n", ROUNDS);
}
