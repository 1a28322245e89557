// What the kernel says of the memory of the process that was frozen: of that process, which lives on, and not of its copy,
// whose tables of pages of files begin empty.
#pragma once

#include "search_stream.h"

typedef struct {
    int smaps, rollup;  // negative: it cannot be read
} gp_process_memory;

// Before the process is copied. Descriptors that stay the process's own in the copy.
gp_process_memory gp_process_memory_open(void);
void gp_process_memory_close(gp_process_memory memory);

// In the copy: keeps what the kernel counts now for gp_process_memory_send. Costs about 10 µs for each resident MiB.
void gp_process_memory_read(gp_process_memory memory);

// Sends it (GP_SEARCH_SMAPS).
void gp_process_memory_send(gp_search_stream *stream);
