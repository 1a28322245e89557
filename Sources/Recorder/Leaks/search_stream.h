// What a frozen copy says of its heap (HeapSearch.h): to a process that listens at a socket, or into the trace.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "HeapSearch.h"

struct gp_thread;

typedef struct {
    struct gp_thread *thread;
    long socket;  // negative: the trace
    _Atomic uint32_t *progress;
    bool failed;  // nobody listens any more, or the trace has no room
} gp_search_stream;

// Sends the message and as many bytes as it says; into the trace at most GP_SEARCH_MOST_SAID.
void gp_search_send(gp_search_stream *stream, gp_search_message message, const void *bytes);
