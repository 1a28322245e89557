#include "trace_writer.h"

#include <stdatomic.h>
#include <string.h>

#include "arena.h"
#include "spool.h"
#include "system.h"
#include "thread.h"

static void begin_chunk(gp_thread *thread, gp_writer *writer) {
    gp_chunk_header *chunk = writer->chunk;
    // A chunk that is not in use has used == 0: a process killed here leaves nothing that looks like records.
    __atomic_store_n(&chunk->used, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    chunk->magic = GP_CHUNK_MAGIC;
    chunk->sequence = gp_spool_next_sequence();
    chunk->start_ns = gp_coarse_ns();
    chunk->thread = thread->id;
    chunk->reserved = 0;
    writer->last_ns = chunk->start_ns;
    writer->last = NULL;
    writer->temporary = NULL;
    __atomic_store_n(&chunk->used, (uint32_t)sizeof *chunk, __ATOMIC_RELEASE);
}

bool gp_write_flush(gp_writer *writer) {
    gp_chunk_header *chunk = writer->chunk;
    if (!chunk || writer->is_left || __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE) == 0)
        return true;
    return gp_spool_write(chunk);
}

// The next chunk of the writer, ready for its first record. False: what comes is dropped.
static bool advance(gp_thread *thread, gp_writer *writer) {
    if (writer->stopped)
        return false;
    const bool is_stored = !writer->chunk || gp_write_flush(writer);
    const bool goes_on = is_stored && gp_spool_has_room();
    if (goes_on && (!writer->chunk || writer->is_left)) {
        gp_chunk_header *const block = gp_spool_block(writer->chunk);
        writer->is_left = writer->is_left && !block;
        writer->chunk = block ? block : writer->chunk;
    }
    writer->stopped = !goes_on || !writer->chunk || writer->is_left;
    writer->repeat = NULL;
    if (writer->stopped)
        return false;
    begin_chunk(thread, writer);
    return true;
}

uint8_t *gp_write_next_chunk(gp_thread *thread, gp_writer *writer) {
    if (advance(thread, writer))
        return (uint8_t *)writer->chunk + writer->chunk->used;
    gp_spool_drop(1);
    return NULL;
}

// Whether a record of `size` bytes can be written now; begins a new chunk where it needs one.
static bool make_room(gp_thread *thread, gp_writer *writer, size_t size) {
    const bool fits = writer->chunk && !writer->stopped && writer->chunk->used + size <= GP_CHUNK_SIZE;
    return fits || advance(thread, writer);
}

void gp_write_together(gp_thread *thread, size_t size) {
    make_room(thread, &thread->writer, size);
}

void gp_write_cell(gp_thread *thread, const void *cell) {
    gp_writer *writer = &thread->writer;
    uint8_t *place = gp_write_room(thread, writer);
    if (!place)
        return;
    memcpy(place, cell, GP_CELL_SIZE);
    gp_write_commit(writer, place);
}

void gp_write_record(gp_thread *thread, void *fixed, size_t fixed_size, const void *tail, size_t tail_size) {
    const size_t capacity = GP_CHUNK_SIZE - sizeof(gp_chunk_header);
    if (tail_size > capacity - fixed_size)
        tail_size = capacity - fixed_size;
    size_t size = fixed_size + tail_size;
    size_t whole = (size + GP_CELL_SIZE - 1) & ~(size_t)(GP_CELL_SIZE - 1);
    gp_writer *writer = &thread->writer;
    if (!make_room(thread, writer, whole)) {
        gp_spool_drop(1);
        return;
    }
    gp_record_header *header = fixed;
    header->cells = (uint16_t)(whole / GP_CELL_SIZE);
    header->size = (uint32_t)size;
    uint8_t *place = (uint8_t *)writer->chunk + writer->chunk->used;
    memcpy(place, fixed, fixed_size);
    if (tail_size > 0)
        memcpy(place + fixed_size, tail, tail_size);
    memset(place + size, 0, whole - size);
    writer->last = place;
    __atomic_store_n(&writer->chunk->used, (uint32_t)(writer->chunk->used + whole), __ATOMIC_RELEASE);
}

void gp_write_note(gp_thread *thread, const char *sentence) {
    gp_loss note = {.header.kind = GP_NOTE};
    gp_write_record(thread, &note, sizeof note, sentence, strlen(sentence));
}

void gp_write_beyond_limit(gp_thread *thread) {
    if (gp_spool_lift_limit())
        thread->writer.stopped = false;
}

void gp_write_begin_again(gp_writer *writer) {
    gp_chunk_header *const chunk = writer->chunk;
    if (chunk && !writer->is_left)
        gp_system(mmap, chunk, GP_CHUNK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (chunk)
        chunk->used = GP_CHUNK_SIZE;
    *writer = (gp_writer){.chunk = chunk, .is_left = chunk};
}

void gp_write_begin_in_child(gp_thread *thread) {
    for (gp_thread *other = gp_thread_first(); other; other = other->next)
        other->writer = (gp_writer){.stopped = true};
    gp_chunk_header *chunk = gp_arena_allocate(GP_CHUNK_SIZE);
    thread->writer = (gp_writer){.chunk = chunk, .stopped = !chunk || !gp_spool_has_room()};
    if (!thread->writer.stopped)
        begin_chunk(thread, &thread->writer);
}

void gp_write_end_in_child(gp_thread *thread) {
    if (!thread->writer.stopped && !gp_write_flush(&thread->writer))
        gp_spool_drop(1);
    thread->writer = (gp_writer){.stopped = true};
}
