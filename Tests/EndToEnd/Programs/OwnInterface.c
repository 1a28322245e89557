// Asks its allocator by functions that only that has.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *mallocx(size_t size, int flags);

int main(void) {
    void *volatile block = mallocx(100, 0), *volatile other = malloc(100);
    printf("%s\n", block && other ? "runs" : "has no memory");
    return 0;
}
