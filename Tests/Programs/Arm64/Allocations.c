// Each function of the malloc family, from functions with frames of several kinds.
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

void *volatile kept[64];

__attribute__((noinline)) static void large_frame(int at) {
    char room[5000];
    memset(room, at, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
    kept[at] = calloc(3, 100);
}

__attribute__((noinline)) static void moving_frame(int at) {
    char *room = alloca((size_t)at * 100 + 16);
    __asm__ volatile("" : : "r"(room) : "memory");
    kept[at] = aligned_alloc(64, 640);
    large_frame(at + 10);
}

__attribute__((noinline)) static void resized(int at) {
    kept[at] = malloc(50);
    kept[at] = realloc(kept[at], 5000);
    __asm__ volatile("");
}

static int compare(const void *a, const void *b) {
    static int calls;
    if (calls++ == 0)
        resized(50);
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    for (int i = 0; i < 5; i++)
        moving_frame(i);
    int numbers[] = {3, 1, 2};
    compare(&numbers[0], &numbers[1]);
    for (int i = 0; i < 1000; i++)
        free(malloc((size_t)i));
    return 0;
}
