// How the events of blocks are written into the thread's chunk: inline, for the hooks.
#pragma once

#include <stdint.h>

#include "live_table.h"
#include "memo_check.h"
#include "resident.h"
#include "slow_path.h"
#include "stack.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "TraceFormat.h"

// Cells as two words. A cell that is stored and read as whole words is forwarded by the store buffer; one that is stored
// byte by byte and then compared as a word costs a stall of a dozen cycles.

typedef struct {
    uint64_t head;  // kind, how, size
    uint64_t tail;  // stack, and address or type
} gp_cell;

static inline uint64_t gp_cell_head(uint8_t kind, uint8_t how, uint64_t size) {
    return (uint64_t)(uint32_t)size << 32 | (size >> 32 & 0xffff) << 16 | (uint64_t)how << 8 | kind;
}

static inline uint64_t gp_cell_tail(uint32_t stack, uint32_t last) {
    return (uint64_t)last << 32 | stack;
}

// The head of an event without its kind and how.
static inline uint64_t gp_cell_size(uint64_t head) {
    return head >> 16;
}

_Static_assert(sizeof(gp_cell) == GP_CELL_SIZE, "one cell");

// The most events that share a time without a look at the clock. A thread that was busy and then rests dates that many to the end
// of its busy time: about a quarter of those that it had in it, half of the first few.
#define EVENTS_BETWEEN_LOOKS 64

GP_SLOW_PATH static void gp_event_clock(gp_thread *thread) {
    uint64_t now = gp_coarse_ns();
    if (now == thread->writer.last_ns) {
        const uint32_t apart = thread->looks_apart, next = apart + apart / 4 + 1;
        thread->looks_apart = next < EVENTS_BETWEEN_LOOKS ? next : EVENTS_BETWEEN_LOOKS;
        thread->events_unlooked = apart;
        return;
    }
    thread->looks_apart = 0;
    gp_time time = {.kind = GP_TIME, .ns = now};
    gp_write_cell(thread, &time);
    thread->writer.last_ns = now;
    gp_resident_note(thread, now);
}

// One GP_TIME per tick of the kernel's clock: events in between share it. While the clock stands still between two
// looks, the thread is busy and looks less often.
static inline void gp_event_time(gp_thread *thread) {
    if (GP_LIKELY(thread->events_unlooked > 0))
        thread->events_unlooked--;
    else
        gp_event_clock(thread);
}

static inline void gp_event_alloc(gp_thread *thread, uintptr_t address, size_t size, uint8_t how, uint32_t stack) {
    gp_writer *writer = &thread->writer;
    gp_cell *cell = (gp_cell *)gp_write_room(thread, writer);
    if (GP_UNLIKELY(!cell))
        return;
    cell->head = gp_cell_head(GP_ALLOC, how, size);
    cell->tail = gp_cell_tail(stack, (uint32_t)(address >> 4));
    gp_write_commit(writer, (uint8_t *)cell);
}

// The GP_ALLOC that the thread wrote last becomes a GP_TEMPORARY; an equal one before it is counted up instead. False:
// the thread's last record is not the allocation of this block.
static inline bool gp_event_temporary(gp_writer *writer, uint64_t size, uint32_t stack, uint32_t type) {
    gp_cell *last = (gp_cell *)writer->last;
    writer->repeat = NULL;
    uint64_t head = last->head;
    if ((uint8_t)head != GP_ALLOC || gp_cell_size(head) != gp_cell_size(gp_cell_head(0, 0, size)) ||
        (uint32_t)last->tail != stack)
        return false;
    head += GP_TEMPORARY - GP_ALLOC;
    uint64_t tail = gp_cell_tail(stack, type);
    gp_cell *before = (gp_cell *)writer->temporary;
    if (before && before->head == head && before->tail == tail) {
        gp_cell *repeat = before + 1;
        if (repeat == last) {
            *repeat = (gp_cell){.head = GP_REPEAT, .tail = 1};
            return true;
        }
        if (repeat + 1 == last && repeat->head == GP_REPEAT) {
            repeat->tail++;
            gp_write_commit(writer, (uint8_t *)repeat);
            return true;
        }
    }
    last->tail = tail;
    last->head = head;
    writer->temporary = writer->last;
    return true;
}

// True: it is a GP_TEMPORARY or counts with one.
static inline __attribute__((always_inline)) bool gp_event_free(gp_thread *thread, uintptr_t address, uint64_t size,
                                                                uint32_t stack, uint32_t type) {
    gp_writer *writer = &thread->writer;
    if (thread->last_block == address && writer->last) {
        thread->last_block = 0;
        if (GP_LIKELY(gp_event_temporary(writer, size, stack, type)))
            return true;
    }
    gp_event_time(thread);
    gp_cell *cell = (gp_cell *)gp_write_room(thread, writer);
    if (GP_UNLIKELY(!cell))
        return false;
    cell->head = gp_cell_head(GP_FREE, 0, size);
    cell->tail = gp_cell_tail(stack, type);
    gp_write_commit(writer, (uint8_t *)cell);
    return false;
}

// A link map of the loader begins with the address of an image that is already unmapped when it is freed.
static inline uint32_t gp_event_type(gp_thread *thread, uintptr_t address, uint64_t size, uint32_t flags) {
    if (GP_UNLIKELY(flags & GP_BLOCK_LOADER))
        return 0;
    return size >= sizeof(uintptr_t) ? gp_type_id_cached(thread, gp_thread_types(thread), *(uintptr_t *)address, size)
                                     : 0;
}
