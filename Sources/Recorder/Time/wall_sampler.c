#include "source.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>

#include "safe_read.h"
#include "system.h"
#include "task_list.h"
#include "kernel_signals.h"
#include "arena.h"
#include "read_clock.h"
#include "recording_state.h"
#include "sampled_thread.h"
#include "resident.h"
#include "thread.h"

enum { STACK_SIZE = 256 << 10, STOP_STEPS = 500, UNSCHEDULED_LEAST_NS = 100000 };

typedef struct {
    gp_thread state;  // writer
    gp_stack_copy copy;
    uint32_t marked;  // the thread that the chunk speaks of
    uint64_t last;  // up to here all periods are counted
    uint16_t periods;  // since the look before
} wall_sampler;

static wall_sampler *self;
static _Atomic uint32_t sampler_id;
static _Atomic bool stopping, stopped;

uint32_t gp_wall_sampler_thread(void) {
    return atomic_load(&sampler_id);
}

static void mark(uint32_t thread) {
    gp_writer *writer = &self->state.writer;
    bool begins = !writer->chunk || writer->chunk->used + 4 * GP_CELL_SIZE > GP_CHUNK_SIZE;
    if (self->marked == thread && !begins)
        return;
    self->state.id = self->marked = thread;
    gp_write_cell(&self->state, &(gp_thread_mark){.kind = GP_THREAD, .thread = thread});
}

// The thread that holds the lock for which a thread waits; 0: it waits for none, or that is not known. A mutex of glibc's has its
// holder two words behind the one that is waited for, one with priority inheritance in that word. Other things that are waited
// for have something else there: the tool knows from the stack whether it is a lock.
static uint32_t lock_holder(const gp_task_call *call) {
    if (call->number != SYS_futex)
        return 0;
    uint32_t words[4];  // __lock, __count, __owner, __nusers
    const long command = (long)call->arguments[1] & FUTEX_CMD_MASK;
    const bool inherits = command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
    if (!inherits && command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET)
        return 0;
    if (!gp_safe_read(call->arguments[0], words, inherits ? sizeof words[0] : sizeof words))
        return 0;
    // A lock of glibc's own, as that of a malloc arena, has no users there.
    const uint32_t holder = inherits ? words[0] & FUTEX_TID_MASK : words[3] ? words[2] : 0;
    gp_task_stat stat;
    return holder && gp_task_stat_read(holder, &stat) ? holder : 0;
}

// How long a thread that runs now, or is ready to, had no processor since the look before. Little is left for a later look.
static void note_unscheduled(uint32_t id) {
    gp_sampled_thread *thread = gp_sampled_thread_first();
    while (thread && atomic_load(&thread->owner) != id)
        thread = thread->next;
    const uint64_t before = thread ? thread->unscheduled_ns : 0, now = thread ? gp_task_unscheduled_ns(id) : 0;
    if (now < before + UNSCHEDULED_LEAST_NS)
        return;
    thread->unscheduled_ns = now;
    if (!before)
        return;
    mark(id);
    gp_write_cell(
        &self->state,
        &(gp_unscheduled){.kind = GP_UNSCHEDULED, .us = (uint32_t)((now - before) / 1000), .ns = gp_now_ns()});
}

static bool look_at(uint32_t thread, void *context) {
    (void)context;
    gp_task_call call;
    if (thread == gp_wall_sampler_thread() || gp_thread_is_hidden(thread))
        return true;
    if (!gp_task_call_read(thread, &call)) {
        note_unscheduled(thread);
        return true;
    }
    if (!call.sp || !call.pc)
        return true;
    gp_sample sample = {.kind = GP_WAIT, .weight = self->periods, .ns = gp_now_ns()};
    sample.stack = gp_remote_stack_id(&self->state, &self->copy, call.pc, call.sp);
    const uint32_t holder = lock_holder(&call);
    mark(thread);
    if (holder && holder != thread)
        gp_write_cell(&self->state, &(gp_thread_mark){.kind = GP_LOCK_HOLDER, .thread = holder});
    gp_write_cell(&self->state, &sample);
    return true;
}

static void look(void) {
    // What is left of a period counts with the next look: each look comes a little late.
    uint64_t periods = (gp_now_ns() - self->last) / GP_OBSERVER_PERIOD_NS;
    self->last += periods * GP_OBSERVER_PERIOD_NS;
    self->periods = periods < UINT16_MAX ? (uint16_t)periods : UINT16_MAX;
    if (periods > 0)
        gp_task_each(look_at, NULL);
    gp_resident_note(&self->state, self->last);
}

static void *observe(void *context) {
    (void)context;
    atomic_store(&sampler_id, (uint32_t)gp_system(gettid, 0));
    self->last = gp_now_ns();
    while (!atomic_load(&stopping) && gp_recording_runs()) {
        gp_sleep(GP_OBSERVER_PERIOD_NS);
        if (!atomic_load(&stopping))
            look();
    }
    atomic_store(&stopped, true);
    return NULL;
}

static bool kernel_tells(void) {
    char text[256];
    return gp_task_file_read((uint32_t)gp_system(gettid, 0), "syscall", text, sizeof text) > 0;
}

bool gp_wall_sampler_start(void) {
    self = kernel_tells() ? gp_arena_allocate(sizeof *self) : NULL;
    if (!self)
        return false;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const uint64_t before = gp_signal_set_mask(UINT64_MAX);
    pthread_t thread;
    bool made = pthread_create(&thread, &attributes, observe, NULL) == 0;
    gp_signal_set_mask(before);
    pthread_attr_destroy(&attributes);
    // Whoever arms the threads that there are must know this one.
    for (int i = 0; made && i < STOP_STEPS && !gp_wall_sampler_thread(); i++)
        gp_sleep(GP_MILLISECOND_NS);
    if (!made)
        self = NULL;
    return made;
}

void gp_wall_sampler_stop(void) {
    if (!self || atomic_exchange(&stopping, true))
        return;
    for (int i = 0; i < STOP_STEPS && !atomic_load(&stopped); i++)
        gp_sleep(GP_MILLISECOND_NS);
}

bool gp_wall_sampler_flush(void) {
    return !self || (gp_write_flush(&self->state.writer) && !self->state.writer.stopped);
}
