// What the heap snapshot must be told of: stop the threads, freeze the heap in a cloned child, have it searched or written.
#pragma once

#include "arch.h"
#include <stdbool.h>
#include <stdint.h>

// The main thread is about to end by pthread_exit, which `caller` calls: keeps a copy of its stack and registers for the
// snapshots to come, since its functions never give up what they hold. Does nothing in another thread.
void gp_heap_keep_exited_main_stack(gp_registers caller);

// In a child made by fork: what the parent's snapshots share with their copies is the parent's.
void gp_heap_begin_in_child(void);

// Until when the calling thread waits in a call whose time the kernel does not keep (epoll_wait), for who takes up a call
// that was cut short.

// CLOCK_MONOTONIC in nanoseconds, 0: not known, or without end.
extern __thread uint64_t gp_waiting_until __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Set when sigtimedwait was cut short by the stop signal alone: the rest of its time has not been waited for.
extern __thread bool gp_waiting_was_cut __attribute__((tls_model("initial-exec"), visibility("hidden")));
