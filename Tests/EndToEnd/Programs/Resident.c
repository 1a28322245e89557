// Uses much memory for a while, and gives it back. "close": takes the recorder's descriptors away first.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 8, BLOCK_BYTES = 16 << 20, FILES = 1024, WAIT_NS = 40000000 };

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

// Allocates until the recorder has had time for a look.
static void churn(void) {
    for (long end = now() + WAIT_NS; now() < end;) {
        void *volatile block = malloc(32);
        free(block);
    }
}

static void take_descriptors(void) {
    for (int i = 3; i < FILES; i++)
        close(i);
    while (open("/dev/zero", O_RDONLY) >= 0)
        continue;
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "close") == 0)
        take_descriptors();
    char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK_BYTES);
        memset(blocks[i], 1, BLOCK_BYTES);
    }
    churn();
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    churn();
    puts("done");
}
