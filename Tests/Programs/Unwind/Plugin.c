// A library to load and to unload. Two builds of it have the same addresses and different frames.
#include <stdlib.h>

static volatile int sum;

static __attribute__((noinline)) int allocate(int size) {
    char *block = malloc((size_t)size + 1);
    __asm__ volatile("" : "+r"(block));
    free(block);
    return sum;
}

int plugin(int size) {
    char room[ROOM];
    room[size] = 1;
    sum += allocate(size + room[size]);
    return sum + allocate(size);
}
