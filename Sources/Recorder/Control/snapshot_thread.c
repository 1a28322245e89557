#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "Control.h"
#include "CRecorderInterface.h"
#include "kernel_signals.h"
#include "read_clock.h"
#include "system.h"
#include "task_list.h"
#include "words.h"
#include "memory_pressure.h"
#include "progress_timeout.h"
#include "live_peak.h"
#include "own_thread.h"
#include "recording.h"
#include "thread.h"
#include "trace_writer.h"

enum { STACK_BYTES = 1 << 20, LOOK_MS = 1000, REQUEST_MS = 50, PRESSURE_MS = 100, NEVER = -1 };
enum { RESTING, TAKING, STOPPED };

static _Atomic uint32_t state;
static uint64_t interval_ns;  // 0: only on request
static uint64_t warning_ns;  // until the memory warning, 0: none
static bool at_peak;
static bool takes_snapshots;
static const char *requests;  // path of the FIFO, NULL: none
static _Atomic bool is_made, looks_for_pressure, warning_is_due, watches_the_others;
static _Atomic uint64_t resident_limit;

static void take(const char *name) {
    uint32_t resting = RESTING;
    if (!atomic_compare_exchange_strong(&state, &resting, TAKING))
        return;
    gp_snapshot(name);
    atomic_store(&state, RESTING);
}

// Where none can be taken the peak is waited for no longer than until the next growth.
static void take_peak(void) {
    uint32_t resting = RESTING;
    if (!atomic_compare_exchange_strong(&state, &resting, TAKING))
        return;
    if (!gp_recording_snapshot_at_peak())
        gp_live_peak_copied();
    atomic_store(&state, RESTING);
}

// The end of the recording does not wait for the program's handler, which may wait for the main thread, or be what ends.
static void warn(void) {
    if (atomic_load(&state) != STOPPED)
        gp_send_memory_warning();
}

static void answer(const char *bytes, long count) {
    bool is_snapshot_due = false;
    for (long i = 0; i < count; i++) {
        if (bytes[i] == GP_REQUEST_MARK)
            gp_mark("live");
        else if (bytes[i] == GP_REQUEST_WARNING)
            warn();
        else
            is_snapshot_due = takes_snapshots;
    }
    if (!is_snapshot_due)
        return;
    take("request");
    gp_mark("request");
}

static bool note_living(uint32_t id, void *context) {
    bool *living = context;
    *living = id != (uint32_t)gp_system(gettid, 0) && !gp_thread_is_hidden(id) && !gp_task_has_ended(id);
    return !*living;
}

// The C library ends a process with its last thread, and would wait for this one.
void gp_end_with_the_others(void) {
    bool living = false;
    if (gp_task_each(note_living, &living) && !living)
        exit(0);
}

// Open for writing too, so that it never comes to its end. −1: nothing can be asked for.
static long open_requests(void) {
    return requests ? gp_system(openat, AT_FDCWD, requests, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) : NEVER;
}

static int milliseconds_until(uint64_t time) {
    uint64_t present = gp_monotonic_of_kernel(), wait = time > present ? (time - present) / GP_MILLISECOND_NS + 1 : 0;
    return wait > LOOK_MS ? LOOK_MS : (int)wait;
}

static long wait_for(struct pollfd *poll, int milliseconds) {
    // A peak wakes by a word of memory, which cannot be waited for together with a descriptor.
    if (at_peak) {
        const int wait = poll->fd >= 0 && milliseconds > REQUEST_MS ? REQUEST_MS : milliseconds;
        gp_live_peak_wait((uint64_t)wait * GP_MILLISECOND_NS);
        milliseconds = 0;
    }
    const struct timespec limit = gp_timespec((uint64_t)milliseconds * GP_MILLISECOND_NS);
    return gp_system(ppoll, poll, 1, &limit, NULL, 0);
}

static void *serve(void *context) {
    (void)context;
    gp_system(prctl, PR_SET_NAME, "gameprof", 0, 0, 0);
    long descriptor = open_requests();
    const uint64_t start = gp_monotonic_of_kernel();
    uint64_t next = interval_ns ? start + interval_ns : UINT64_MAX;
    uint64_t warning = warning_ns ? start + warning_ns : UINT64_MAX;
    static gp_memory_pressure pressure;
    while (atomic_load(&state) != STOPPED) {
        struct pollfd poll = {.fd = (int)descriptor, .events = POLLIN};
        char bytes[64];
        int milliseconds = milliseconds_until(next < warning ? next : warning);
        if (atomic_load(&looks_for_pressure)) {
            pressure.limit = atomic_load(&resident_limit);
            if (gp_memory_pressure_look(&pressure, gp_monotonic_of_kernel()))
                warn();
            milliseconds = milliseconds < PRESSURE_MS ? milliseconds : PRESSURE_MS;
        }
        long ready = wait_for(&poll, milliseconds);
        const long count = ready > 0 ? gp_system(read, descriptor, bytes, sizeof bytes) : 0;
        if (ready > 0 && count <= 0)
            descriptor = open_requests();  // the program closed it
        if (at_peak && gp_live_peak_is_due())
            take_peak();
        answer(bytes, count);
        if (gp_monotonic_of_kernel() >= warning) {
            atomic_store(&warning_is_due, false);
            warn();
            warning = UINT64_MAX;
        }
        if (gp_monotonic_of_kernel() >= next) {
            take("interval");
            next = gp_monotonic_of_kernel() + interval_ns;
        }
        gp_end_with_the_others();
    }
    while (atomic_load(&watches_the_others)) {
        gp_sleep(LOOK_MS * (uint64_t)GP_MILLISECOND_NS);
        gp_end_with_the_others();
    }
    return NULL;
}

static void read_options(const char *options) {
    for (gp_word word, value; gp_word_next(&options, ";", &word);) {
        if (gp_word_value(word, "every", &value)) {
            interval_ns = gp_number_at(value.text) * 1000000;
        } else if (gp_word_value(word, "warning", &value)) {
            warning_ns = gp_number_at(value.text) * 1000000;
            atomic_store(&warning_is_due, warning_ns != 0);
        } else if (gp_word_is(word, "peak")) {
            at_peak = true;
        } else if (gp_word_value(word, "requests", &value)) {
            requests = value.text;
            return;  // a path may hold anything
        }
    }
}

static void make_thread(void) {
    if (!atomic_exchange(&is_made, true))
        gp_own_thread_make(serve, NULL, STACK_BYTES);
}

void gp_snapshot_thread_watch_the_others(void) {
    atomic_store(&watches_the_others, true);
    make_thread();
}

void gp_snapshot_thread_start(const char *options, bool searches) {
    read_options(options);
    takes_snapshots = searches;
    if (!searches) {
        interval_ns = 0;
        at_peak = false;
    }
    if ((interval_ns == 0 && warning_ns == 0 && !requests && !at_peak) || !gp_thread_current())
        return;
    make_thread();
    if (at_peak)
        gp_live_peak_watch();
}

// Of the preloaded copy too.
__attribute__((visibility("default"))) void gp_send_memory_warnings(uint64_t limit) {
    atomic_store(&resident_limit, limit);
    atomic_store(&looks_for_pressure, true);
    make_thread();
}

void gp_snapshot_thread_explain(struct gp_thread *thread) {
    if (atomic_load(&warning_is_due))
        gp_write_note(thread, "The recording ended before its memory warning was due (--memory-warning-at).");
}

// It has no such thread.
void gp_snapshot_thread_begin_in_child(void) {
    atomic_store(&state, RESTING);
    atomic_store(&warning_is_due, false);
    gp_live_peak_end();
}

void gp_snapshot_thread_stop(void) {
    gp_progress_timeout patience = {0};
    uint32_t resting = RESTING;
    while (!atomic_compare_exchange_strong(&state, &resting, STOPPED) && resting != STOPPED &&
           gp_progress_wait(&patience))
        resting = RESTING;
    gp_live_peak_end();
}
