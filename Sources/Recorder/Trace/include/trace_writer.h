// Writing records into the calling thread's chunk. Never allocates, takes no lock but at the end of a chunk (pwrite of
// 64 KiB), async-signal-safe between its own calls. A record becomes visible by the store to gp_chunk_header.used.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "slow_path.h"

struct gp_thread;

typedef struct {
    gp_chunk_header *chunk;  // in the spool; NULL before the first record
    uint8_t *last;  // the last record of the chunk (for GP_TEMPORARY and GP_REPEAT), NULL: none
    uint64_t last_ns;  // of the last GP_TIME
    uint8_t *temporary;  // the GP_TEMPORARY that an equal one may be counted with, NULL: none
    uint8_t *repeat;  // the GP_REPEAT that counts the thread's repeated block, NULL: none
    bool stopped;  // a chunk could not be stored: events are dropped and counted
    bool is_left;  // the chunk is none, and full: the first of this recording takes its place
} gp_writer;

// Appends one 16-byte cell.
void gp_write_cell(struct gp_thread *thread, const void *cell);

// Appends a record of several cells: `fixed` (its header's cells and size are filled in here) and then `tail`.
// A record that does not fit into an empty chunk is shortened at the end of its tail.
void gp_write_record(struct gp_thread *thread, void *fixed, size_t fixed_size, const void *tail, size_t tail_size);

// Begins a new chunk where `size` bytes do not fit into the present one: what is written next stands in one chunk.
void gp_write_together(struct gp_thread *thread, size_t size);

// A GP_NOTE: a sentence for whoever reads the report.
void gp_write_note(struct gp_thread *thread, const char *sentence);

// Lets the trace become larger than it may, for what is recorded at the program's end, and lets this thread write on.
void gp_write_beyond_limit(struct gp_thread *thread);

// In the frozen child: switches the whole process to writing with one writer of its own (fresh chunks, pwrite).
void gp_write_begin_in_child(struct gp_thread *thread);
// A recording has ended, or begins, in a process that may make several. The chunk's place stays: a thread that was held up inside
// the recorder since then may still write there.
void gp_write_begin_again(gp_writer *writer);

// Flushes that writer's chunk. Call before the child ends.
void gp_write_end_in_child(struct gp_thread *thread);

// Nanoseconds since recording began (CLOCK_MONOTONIC).
uint64_t gp_now_ns(void);

// The same from the clock that the kernel moves on at each tick (1 to 10 ms): cheap enough for every event.
uint64_t gp_coarse_ns(void);

// Makes this moment the beginning of the recording.
void gp_clock_start(void);

// Room for one cell at the end of the thread's chunk, NULL: the cell is dropped (and counted). The cell counts once
// gp_write_commit was called.
static inline uint8_t *gp_write_room(struct gp_thread *thread, gp_writer *writer);

// Writes what the thread's chunk holds to its place in the trace. False: it could not be stored there.
bool gp_write_flush(gp_writer *writer);

GP_SLOW_PATH uint8_t *gp_write_next_chunk(struct gp_thread *thread, gp_writer *writer);

static inline uint8_t *gp_write_room(struct gp_thread *thread, gp_writer *writer) {
    gp_chunk_header *chunk = writer->chunk;
    if (__builtin_expect(chunk && chunk->used <= GP_CHUNK_SIZE - GP_CELL_SIZE && !writer->stopped, 1))
        return (uint8_t *)chunk + chunk->used;
    return gp_write_next_chunk(thread, writer);
}

// Makes the cell that was stored at `place` part of the trace.
static inline void gp_write_commit(gp_writer *writer, uint8_t *place) {
    writer->last = place;
    __atomic_store_n(&writer->chunk->used, (uint32_t)(place - (uint8_t *)writer->chunk) + GP_CELL_SIZE,
                     __ATOMIC_RELEASE);
}
