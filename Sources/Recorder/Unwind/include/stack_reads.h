// Reading words of a stack without ever faulting: inside the thread's own bounds freely, on any other stack (a signal
// stack, a coroutine's) only in pages that the kernel has just said are readable.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stack_words.h"
#include "thread.h"

// The lowest address that can belong to the thread's own stack. That of the main thread is not known, as it grows; the
// kernel maps nothing else within 128 MiB of its upper end.
static inline uintptr_t gp_own_stack_low(const gp_thread *thread) {
    return thread->stack_low ? thread->stack_low : thread->stack_high - ((uintptr_t)128 << 20);
}

// Permits reading from `sp` upwards, a stack pointer on which the thread is running: its page is readable.
gp_stack_reads gp_stack_reads_at(const gp_thread *thread, uintptr_t sp);

static inline bool gp_stack_is_own(const gp_stack_reads *reads, uintptr_t address) {
    return address >= reads->own_low && address < reads->own_high;
}

// Moves to another stack (behind a signal frame). The stack pointer is what a frame says it is. One or two system calls.
void gp_stack_reads_move(gp_stack_reads *reads, uintptr_t sp);

// Makes the page(s) above `high` readable if `address` lies there and they exist. Slow: a system call.
bool gp_stack_reads_extend(gp_stack_reads *reads, uintptr_t address);
