// Memory of the recorder's own, straight from mmap: never from the heap that it observes, never given back.
#ifndef GP_ARENA_H
#define GP_ARENA_H

#include <stddef.h>

// Zeroed, 16-byte aligned, lock-free, from any thread and signal handler. NULL when the kernel refuses.
void *gp_arena_allocate(size_t size);

#endif
