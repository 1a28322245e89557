// The allocator behind the recorder: libc's, or the one that the program brings (jemalloc, tcmalloc, mimalloc).
#ifndef GP_ALLOCATOR_H
#define GP_ALLOCATOR_H

#include <stddef.h>

typedef struct {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *block, size_t size);
    void *(*memalign)(size_t alignment, size_t size);
    void (*free)(void *block);
} gp_allocator;

extern __attribute__((visibility("hidden"))) gp_allocator gp_real;

#endif
