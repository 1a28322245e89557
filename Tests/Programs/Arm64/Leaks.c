// Blocks that nothing reaches, made at some depth, beside one that is kept.
#include <stdlib.h>
#include <string.h>

void *volatile kept;

__attribute__((noinline)) static void *deep(int depth, size_t size) {
    void *block = depth ? deep(depth - 1, size) : malloc(size);
    __asm__ volatile("");
    return block;
}

__attribute__((noinline)) static void lose_some(void) {
    for (int i = 0; i < 7; i++)
        kept = deep(3, 111);
    kept = NULL;
}

__attribute__((noinline)) static void scrub(void) {
    char waste[8192];
    memset(waste, 0, sizeof waste);
    __asm__ volatile("" : : "r"(waste) : "memory");
}

int main(void) {
    lose_some();
    kept = deep(2, 222);
    scrub();
    return 0;
}
