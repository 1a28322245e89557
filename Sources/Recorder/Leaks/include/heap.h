// What the heap snapshot must be told of: stop the threads, freeze the heap in a cloned child, have it searched or written.
#pragma once

#include "arch.h"
#include <stdbool.h>
#include <stdint.h>

#include "signal_chain.h"

// The main thread is about to end by pthread_exit, which `caller` calls: keeps a copy of its stack and registers for the
// snapshots to come, since its functions never give up what they hold. Does nothing in another thread.
void gp_heap_keep_exited_main_stack(gp_registers caller);

// In a child made by fork: what the parent's snapshots share with their copies is the parent's.
void gp_heap_begin_in_child(void);

// Lets `claim` see what comes of the signal that stops threads and does not stop one; with its number chosen and its handler
// installed. True: the signal was meant for it, and the call that it cut short is taken up again.
void gp_stop_signal_share(gp_signal_claim claim);

// Whether a system call waits for something outside the C library: not for memory, nor for a lock of malloc's or the loader's.
// `operation`, `value`: its second and its third argument.
bool gp_call_waits(long number, uintptr_t operation, uintptr_t value);

// Whether the handler has interrupted such a call.
bool gp_call_is_wait(const ucontext_t *context);

// Until when the calling thread waits in a call whose time the kernel does not keep (epoll_wait), for who takes up a call
// that was cut short.

// CLOCK_MONOTONIC in nanoseconds, 0: not known, or without end.
extern __thread uint64_t gp_waiting_until __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Set when sigtimedwait was cut short by the stop signal alone: the rest of its time has not been waited for.
extern __thread bool gp_waiting_was_cut __attribute__((tls_model("initial-exec"), visibility("hidden")));
