// Blocks made and lost in threads at once.
#include <pthread.h>
#include <stdlib.h>

static void *volatile lost;

__attribute__((noinline)) static void *work(void *unused) {
    for (int i = 0; i < 500; i++)
        free(malloc(64));
    for (int i = 0; i < 5; i++)
        lost = calloc(1, 333);
    lost = NULL;
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
