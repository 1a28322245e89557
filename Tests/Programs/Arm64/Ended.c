// A block that the stack of an ended thread names is lost; what a thread left to be joined is not.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static void *lose(void *unused) {
    void *volatile blocks[64];
    for (int i = 0; i < 64; i++)
        blocks[i] = calloc(1, 77);
    for (int i = 1; i < 64; i++)
        free(blocks[i]);
    return unused;
}

static void *leave(void *unused) {
    (void)unused;
    void *volatile left = calloc(1, 55);
    return left;
}

int main(void) {
    pthread_t losing, leaving;
    pthread_create(&losing, NULL, lose, NULL);
    pthread_create(&leaving, NULL, leave, NULL);
    pthread_join(losing, NULL);
    sleep(1);  // the second has ended, too
    return 0;
}
