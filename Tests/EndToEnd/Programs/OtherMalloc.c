// Brings its own malloc, as a program does that links jemalloc or tcmalloc statically.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char memory[1 << 20];
static size_t used;

void *malloc(size_t size) {
    size_t start = (used + 31) & ~(size_t)15;
    if (start + size > sizeof memory)
        return NULL;
    memcpy(memory + start - sizeof size, &size, sizeof size);
    used = start + size;
    return memory + start;
}

void free(void *block) {
    (void)block;
}

void *calloc(size_t count, size_t size) {
    return malloc(count * size);
}

void *realloc(void *block, size_t size) {
    void *result = malloc(size);
    size_t before = 0;
    if (block && result) {
        memcpy(&before, (char *)block - sizeof before, sizeof before);
        memcpy(result, block, before < size ? before : size);
    }
    return result;
}

size_t malloc_usable_size(void *block) {
    size_t size = 0;
    if (block)
        memcpy(&size, (char *)block - sizeof size, sizeof size);
    return size;
}

// jemalloc's own interface: what comes of it nobody sees.
void *mallocx(size_t size, int flags) {
    (void)flags;
    return malloc(size);
}

#ifndef LIBRARY
int main(void) {
    void *volatile block = malloc(100);
    printf("%s\n", block ? "runs" : "has no memory");
    return 0;
}
#endif
