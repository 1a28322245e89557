// What the kernel says of the process that was frozen and keeps for it, as it writes it: of that process, which lives on, and
// not of its copy, whose tables of pages of files begin empty. Whoever searches reads the texts.
#pragma once

#include "search_stream.h"

typedef struct {
    int smaps, rollup;  // negative: it cannot be read
} gp_process_memory;

// Before the process is copied. Descriptors that stay the process's own in the copy.
gp_process_memory gp_process_memory_open(void);
void gp_process_memory_close(gp_process_memory memory);

// In the copy, at once: it shares epoll sets and rings with the process, whose id is `process` and which runs on. Keeps the texts
// for gp_kernel_texts_send. Costs about 10 µs for each resident MiB.
void gp_kernel_texts_read(gp_process_memory memory, uint32_t process);

// Sends them (GP_SEARCH_SMAPS, GP_SEARCH_EPOLL, GP_SEARCH_URING, GP_SEARCH_TIMERS).
void gp_kernel_texts_send(gp_search_stream *stream);
