// Writing records into the calling thread's chunk. Never allocates, takes no lock but at the end of a chunk (pwrite of
// 64 KiB), async-signal-safe between its own calls. A record becomes visible by the store to gp_chunk_header.used.
#ifndef GP_TRACE_WRITER_H
#define GP_TRACE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TraceFormat.h"

struct gp_thread;

typedef struct {
    gp_chunk_header *chunk;  // in the spool; NULL before the first record
    uint8_t *last;           // the last record of the chunk (for GP_TEMPORARY and GP_REPEAT), NULL: none
    uint64_t last_ns;        // of the last GP_TIME
} gp_writer;

// Appends one 16-byte cell.
void gp_write_cell(struct gp_thread *thread, const void *cell);

// Appends a record of several cells: `fixed` (its header's cells and size are filled in here) and then `tail`.
// A record that does not fit into an empty chunk is shortened at the end of its tail.
void gp_write_record(struct gp_thread *thread, void *fixed, size_t fixed_size, const void *tail, size_t tail_size);

// In the frozen child: switches the whole process to writing with one writer of its own (fresh chunks, pwrite).
void gp_write_begin_in_child(struct gp_thread *thread);
// Flushes that writer's chunk. Call before the child ends.
void gp_write_end_in_child(struct gp_thread *thread);

// Nanoseconds since recording began (CLOCK_MONOTONIC).
uint64_t gp_now_ns(void);

#endif
