// Memory of the recorder's own, straight from mmap: never from the heap that it observes, never given back.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Zeroed, 16-byte aligned, lock-free, from any thread and signal handler. NULL when the kernel refuses.
void *gp_arena_allocate(size_t size);

// Makes memory a part of the arena that was mapped otherwise.
void gp_arena_adopt(void *start, size_t size);

// The first part of the arena that ends above `from` and starts below `end`: stores its bounds, `end` and `end` when there
// is none. The program's references are not looked for there.
void gp_arena_find(uintptr_t from, uintptr_t end, uintptr_t *part_start, uintptr_t *part_end);
