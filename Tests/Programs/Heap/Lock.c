// A lock that is held lets others sleep, and one at a time come in.
#include "Check.h"
#include "lock.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, TURNS = 50000 };

static gp_lock lock;
static long count;
static _Atomic int waiting;

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *count_up(void *context) {
    for (int i = 0; i < TURNS; i++) {
        gp_lock_enter(&lock);
        count++;
        gp_lock_leave(&lock);
    }
    return context;
}

// What a wait costs in time of the processor.
static void *wait_for_it(void *context) {
    double before = seconds(CLOCK_THREAD_CPUTIME_ID);
    waiting = 1;
    gp_lock_enter(&lock);
    gp_lock_leave(&lock);
    *(double *)context = seconds(CLOCK_THREAD_CPUTIME_ID) - before;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count_up, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(count == (long)THREADS * TURNS);

    double cost = 1;
    gp_lock_enter(&lock);
    pthread_create(&threads[0], NULL, wait_for_it, &cost);
    while (!waiting)
        usleep(1000);
    usleep(300000);
    CHECK(!gp_lock_try(&lock));
    CHECK(!gp_lock_wait(&lock, 1000000));
    gp_lock_leave(&lock);
    pthread_join(threads[0], NULL);
    CHECK(cost < 0.02);
    CHECK(gp_lock_try(&lock));
    printf("passed\n");
}
