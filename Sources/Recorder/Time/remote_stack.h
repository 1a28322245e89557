// The stack of a thread that waits in the kernel, by its stack pointer and program counter alone: the kernel tells no
// other register. The stack is copied first, so that a thread that wakes up and ends does no harm.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct gp_thread;

enum { GP_REMOTE_DEPTH = 1024, GP_REMOTE_COPY = 1 << 20 };

// Room for the copy; not for the stack of the caller.
typedef struct {
    uintptr_t start;  // of the words in the observed thread
    size_t size;  // bytes that were copied
    uintptr_t words[GP_REMOTE_COPY / sizeof(uintptr_t)];
} gp_stack_copy;

// The id of the stack (see gp_stack_id). Frames are written by `writer`. 0: nothing could be read.
uint32_t gp_remote_stack_id(struct gp_thread *writer, gp_stack_copy *copy, uintptr_t pc, uintptr_t sp);
