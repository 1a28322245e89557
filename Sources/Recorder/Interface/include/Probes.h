// Probes, inlined into the program: two loads when nothing is recorded, a cell of 16 bytes in the thread's own chunk when
// it is. No lock, no allocation. What is rare lies behind gp_probe_room.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Figures.h"
#include "TraceFormat.h"

/// How the recorder's state of a thread begins: all of it that probes use.
typedef struct gp_probe_buffer {
    bool busy;  // inside the recorder
    uint32_t id;
    gp_chunk_header *chunk;
    uint8_t *last;  // the last record of the chunk
} gp_probe_buffer;

enum { GP_PROBE_NAME_LINES = 128, GP_PROBE_IS_ON = 1, GP_PROBE_NAME_LONGEST = 1024 };

/// A name and its number in the trace.
typedef struct {
    const uint8_t *text;  // NULL: none
    uint64_t number;  // shifted to its place in a cell
} gp_probe_line;

/// What a thread keeps for its probes.
typedef struct {
    gp_probe_buffer *buffer;  // NULL: not yet asked for
    gp_probe_line lines[GP_PROBE_NAME_LINES];  // names that the trace knows, by the low bits of their address
} gp_probe_thread;

extern __thread gp_probe_thread gp_probe_here __attribute__((tls_model("initial-exec")));

/// Points at a word that has the bit GP_PROBE_IS_ON while this process is recorded.
extern const volatile uint32_t *gp_probe_switch;

/// Whether ticks are those of the time stamp counter.
extern bool gp_probe_reads_tsc;

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t gp_probe_monotonic(void);

/// Ticks that the calling thread has waited for a processor, ready to run, since it asked last; 0 at first, and where the kernel does
/// not say (/proc/self/task/TID/schedstat). Takes microseconds.
uint32_t gp_probe_processor_wait(void);

/// Room for `cells` cells after all: makes the thread's buffer, gives the name a number, begins a chunk. The thread is then
/// busy and the name has its line. NULL: the cells are dropped (and counted), as those of NULL, which names nothing, are.
gp_probe *gp_probe_room(const uint8_t *name, size_t length, uint32_t cells);

/// An address that stands for the text from now on: for names that are made while the program runs. Costs a look-up in
/// a table; the text is copied at its first sight. NULL when there is no room for it.
const uint8_t *gp_probe_intern(const uint8_t *text, size_t length);

/// An interval ends now that took so many nanoseconds, as another clock measured it.
void gp_probe_lasted(const uint8_t *name, size_t length, uint64_t nanoseconds);

/// True while events are recorded.
static inline __attribute__((always_inline)) bool gp_probe_is_on(void) {
    return __builtin_expect(*gp_probe_switch & GP_PROBE_IS_ON, 0);
}

/// The clock of probes: 6 to 10 ns.
static inline __attribute__((always_inline)) uint64_t gp_probe_ticks(void) {
#if defined(__x86_64__)
    if (__builtin_expect(gp_probe_reads_tsc, 1))
        return __builtin_ia32_rdtsc();
#endif
    return gp_probe_monotonic();
}

static inline __attribute__((always_inline)) gp_probe_line *gp_probe_line_of(const uint8_t *name) {
    return &gp_probe_here.lines[(uintptr_t)name % GP_PROBE_NAME_LINES];
}

// Cells are written by words, whatever the fields of theirs that the compiler knows.
typedef uint64_t __attribute__((may_alias)) gp_probe_word;

// Whether the trace knows the name, and the thread has its buffer. A line that is empty looks like one of NULL.
static inline __attribute__((always_inline)) bool gp_probe_is_known(const uint8_t *name) {
    return name && gp_probe_line_of(name)->text == name;
}

// Released: the end of the recording, which waits for it, sees the cells as they are.
static inline __attribute__((always_inline)) void gp_probe_leave(gp_probe_buffer *buffer) {
    __atomic_store_n(&buffer->busy, false, __ATOMIC_RELEASE);
}

// Marks the thread as busy and returns where its next cell goes.
static inline __attribute__((always_inline)) gp_probe *gp_probe_place(const uint8_t *name, size_t length,
                                                                      uint32_t cells) {
    gp_probe_buffer *buffer = gp_probe_here.buffer;
    if (__builtin_expect(gp_probe_is_known(name) && !buffer->busy, 1)) {
        buffer->busy = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        uint32_t used = buffer->chunk->used;
        if (__builtin_expect(used <= GP_CHUNK_SIZE - cells * GP_CELL_SIZE, 1))
            return (gp_probe *)((uint8_t *)buffer->chunk + used);
        gp_probe_leave(buffer);
    }
    return gp_probe_room(name, length, cells);
}

static inline __attribute__((always_inline)) void gp_probe_fill(gp_probe *cell, uint32_t kind, const uint8_t *name,
                                                                uint64_t ticks) {
    gp_probe_word *words = (gp_probe_word *)cell;
    words[0] = gp_probe_line_of(name)->number | kind;
    words[1] = ticks;
}

// Makes the cells up to `last` part of the trace.
static inline __attribute__((always_inline)) void gp_probe_commit(gp_probe *last) {
    gp_probe_buffer *buffer = gp_probe_here.buffer;
    gp_chunk_header *chunk = buffer->chunk;
    buffer->last = (uint8_t *)last;
    __atomic_store_n(&chunk->used, (uint32_t)((uint8_t *)(last + 1) - (uint8_t *)chunk), __ATOMIC_RELEASE);
    gp_probe_leave(buffer);
}

static inline __attribute__((always_inline)) void gp_probe_write(uint32_t kind, const uint8_t *name, size_t length) {
    gp_probe *cell = gp_probe_place(name, length, 1);
    if (__builtin_expect(!cell, 0))
        return;
    gp_probe_fill(cell, kind, name, gp_probe_ticks());
    gp_probe_commit(cell);
}

/// An interval begins on this thread. `name`: text that stays where it is and as it is.
static inline __attribute__((always_inline)) void gp_probe_begin(const uint8_t *name, size_t length) {
    if (gp_probe_is_on())
        gp_probe_write(GP_PROBE_BEGIN, name, length);
}

// Makes the begin that the thread wrote last an interval. False: it wrote something else last, or the interval is long.
static inline __attribute__((always_inline)) bool gp_probe_close(const uint8_t *name, uint64_t ticks) {
    gp_probe_buffer *buffer = gp_probe_here.buffer;
    gp_probe_line *line = gp_probe_line_of(name);
    if (__builtin_expect(!gp_probe_is_known(name) || buffer->busy || !buffer->last, 0))
        return false;
    buffer->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    gp_probe_word *words = (gp_probe_word *)buffer->last;
    uint64_t length = ticks - words[1];
    bool closes = words[0] == (line->number | GP_PROBE_BEGIN) && length <= UINT32_MAX;
    if (closes)
        words[0] = length << 32 | line->number | GP_PROBE_INTERVAL;
    gp_probe_leave(buffer);
    return closes;
}

/// The innermost open interval of that name ends, on the thread on which it began.
static inline __attribute__((always_inline)) void gp_probe_end(const uint8_t *name, size_t length) {
    if (!gp_probe_is_on())
        return;
    uint64_t ticks = gp_probe_ticks();
    if (__builtin_expect(gp_probe_close(name, ticks), 1))
        return;
    gp_probe *cell = gp_probe_place(name, length, 1);
    if (__builtin_expect(!cell, 0))
        return;
    gp_probe_fill(cell, GP_PROBE_END, name, ticks);
    gp_probe_commit(cell);
}

/// Something happens.
static inline __attribute__((always_inline)) void gp_probe_event(const uint8_t *name, size_t length) {
    if (gp_probe_is_on())
        gp_probe_write(GP_PROBE_EVENT, name, length);
}

/// A frame of the game loop ends and the next one begins.
static inline __attribute__((always_inline)) void gp_probe_frame(const uint8_t *name, size_t length) {
    if (__builtin_expect(gp_frame_times_are_counted, 0))
        gp_frame_times_count(name, length);
    if (!gp_probe_is_on())
        return;
    gp_probe *cell = gp_probe_place(name, length, 1);
    if (__builtin_expect(!cell, 0))
        return;
    gp_probe_fill(cell, GP_PROBE_FRAME, name, gp_probe_ticks());
    cell->length = gp_probe_processor_wait();
    gp_probe_commit(cell);
}

/// An interval begins that may end on another thread. Returns what gp_probe_finish is to be given; 0 when nothing is
/// recorded.
static inline __attribute__((always_inline)) uint64_t gp_probe_start(const uint8_t *name, size_t length) {
    if (!gp_probe_is_on())
        return 0;
    gp_probe *cell = gp_probe_place(name, length, 1);
    if (__builtin_expect(!cell, 0))
        return 0;
    uint64_t ticks = gp_probe_ticks();
    gp_probe_fill(cell, GP_PROBE_START, name, ticks);
    gp_probe_commit(cell);
    return ticks;
}

/// The interval that began with gp_probe_start ends, on whatever thread.
static inline __attribute__((always_inline)) void gp_probe_finish(const uint8_t *name, size_t length, uint64_t start) {
    if (!gp_probe_is_on() || !start)
        return;
    uint64_t ticks = gp_probe_ticks();
    gp_probe *cells = gp_probe_place(name, length, 2);
    if (__builtin_expect(!cells, 0))
        return;
    gp_probe_fill(cells, GP_PROBE_SPAN, name, start);
    if (__builtin_expect(ticks - start <= UINT32_MAX, 1)) {
        cells->length = (uint32_t)(ticks - start);
        gp_probe_commit(cells);
        return;
    }
    cells->kind = GP_PROBE_LONG_SPAN;
    gp_probe_fill(cells + 1, GP_PROBE_END, name, ticks);
    gp_probe_commit(cells + 1);
}

/// A counter has this value from now on.
static inline __attribute__((always_inline)) void gp_probe_counter(const uint8_t *name, size_t length, double value) {
    if (!gp_probe_is_on())
        return;
    gp_probe *cells = gp_probe_place(name, length, 2);
    if (__builtin_expect(!cells, 0))
        return;
    gp_probe_fill(cells, GP_PROBE_COUNTER, name, gp_probe_ticks());
    gp_probe_value *behind = (gp_probe_value *)(cells + 1);
    *(gp_probe_word *)behind = GP_PROBE_VALUE;
    behind->value = value;
    gp_probe_commit(cells + 1);
}
