// What the program says of itself, of the copy of the recorder that it links: a preloaded one has no probes.
#ifndef GP_PRELOADED
#include <string.h>

#include "CRecorderInterface.h"
#include "probe_calls.h"
#include "recording_state.h"
#include "spool.h"
#include "system.h"
#include "task_list.h"
#include "thread.h"
#include "trace_writer.h"
#include "words.h"

_Static_assert(offsetof(gp_probe_buffer, busy) == offsetof(gp_thread, busy) &&
                   offsetof(gp_probe_buffer, id) == offsetof(gp_thread, id) &&
                   offsetof(gp_probe_buffer, chunk) == offsetof(gp_thread, writer.chunk) &&
                   offsetof(gp_probe_buffer, last) == offsetof(gp_thread, writer.last),
               "a thread's state begins with its buffer");

__thread gp_probe_thread gp_probe_here __attribute__((tls_model("initial-exec")));
const volatile uint32_t *gp_probe_switch = &gp_recording.state;
bool gp_probe_reads_tsc;

static void __attribute__((constructor(101))) choose_clock(void) {
    gp_probe_reads_tsc = gp_probes_read_tsc();
}

gp_probe *gp_probe_room(const uint8_t *name, size_t length, uint32_t cells) {
    gp_thread *thread = gp_recording_runs() ? gp_thread_current() : NULL;
    if (!thread)
        return NULL;
    if (thread->busy) {
        gp_spool_drop(1);
        return NULL;
    }
    thread->busy = true;
    gp_probe_clock_write(thread, false);
    const uint32_t number = gp_probe_number(thread, name, length);
    gp_writer *writer = &thread->writer;
    uint8_t *place = gp_write_room(thread, writer);
    if (place && writer->chunk->used > GP_CHUNK_SIZE - cells * GP_CELL_SIZE)
        place = gp_write_next_chunk(thread, writer);
    if (!place || !number) {
        gp_thread_leave(thread);
        return NULL;
    }
    gp_probe_here.buffer = (gp_probe_buffer *)thread;
    *gp_probe_line_of(name) = (gp_probe_line){name, (uint64_t)number << 8};
    return (gp_probe *)place;
}

void gp_probe_lasted(const uint8_t *name, size_t length, uint64_t nanoseconds) {
    if (!name || !gp_probe_is_on())
        return;
    uint64_t now = gp_probe_ticks(), ticks = gp_probes_ticks_in(nanoseconds);
    gp_probe *cells = gp_probe_place(name, length, 2);
    if (!cells)
        return;
    gp_probe_fill(cells, GP_PROBE_BEGIN, name, ticks < now ? now - ticks : 0);
    gp_probe_fill(cells + 1, GP_PROBE_END, name, now);
    gp_probe_commit(cells + 1);
}

uint32_t gp_probe_processor_wait(void) {
    static __thread uint64_t known __attribute__((tls_model("initial-exec")));
    const uint64_t before = known, now = gp_task_unscheduled_ns(gp_probe_here.buffer->id);
    known = now;
    const uint64_t ticks = before > 0 && now > before ? gp_probes_ticks_in(now - before) : 0;
    return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

uint32_t gp_kernel_thread(void) {
    return (uint32_t)gp_system(gettid, 0);
}

void gp_log(const char *file, uint32_t line, const char *message, size_t length) {
    enum { FILE_LONGEST = 1024, MESSAGE_LONGEST = 4096 };
    gp_thread *thread = gp_recording_runs() ? gp_thread_enter() : NULL;
    if (!thread)
        return;
    char text[FILE_LONGEST + 1 + MESSAGE_LONGEST];
    size_t used = strnlen(file, FILE_LONGEST);
    memcpy(text, file, used);
    text[used++] = 0;
    if (length > MESSAGE_LONGEST)
        length = MESSAGE_LONGEST;
    memcpy(text + used, message, length);
    gp_log_line record = {.header.kind = GP_LOG, .time_ns = gp_now_ns(), .thread = thread->id, .line = line};
    gp_write_record(thread, &record, sizeof record, text, used + length);
    gp_thread_leave(thread);
}
#endif
