// Until when the calling thread waits in a call whose time the kernel does not keep (epoll_wait), for who takes up a call
// that was cut short.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// CLOCK_MONOTONIC in nanoseconds, 0: not known, or without end.
extern __thread uint64_t gp_waiting_until __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Set when sigtimedwait was cut short by the stop signal alone: the rest of its time has not been waited for.
extern __thread bool gp_waiting_was_cut __attribute__((tls_model("initial-exec"), visibility("hidden")));
