#include "snapshot_thread.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "read_clock.h"
#include "system.h"
#include "task_list.h"
#include "words.h"
#include "generations.h"
#include "heap.h"
#include "live_peak.h"
#include "recording.h"
#include "stop_signal.h"
#include "thread.h"

enum { STACK_BYTES = 1 << 20, LOOK_MS = 1000, REQUEST_MS = 50, NEVER = -1 };
enum { RESTING, TAKING, STOPPED };

static _Atomic uint32_t state;
static uint64_t interval_ns;  // 0: only on request
static bool at_peak;
static const char *requests;  // path of the FIFO, NULL: none
static uint32_t own_id;

static void take(const char *name) {
    uint32_t resting = RESTING;
    if (!atomic_compare_exchange_strong(&state, &resting, TAKING))
        return;
    gp_recording_snapshot(name);
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

static bool note_living(uint32_t id, void *context) {
    bool *living = context;
    *living = id != own_id && !gp_task_has_ended(id);
    return !*living;
}

// The C library ends a process with its last thread, and would wait for this one.
static void end_with_the_others(void) {
    bool living = false;
    if (gp_task_each(note_living, &living) && !living)
        exit(0);
}

// Open for writing too, so that it never comes to its end. −1: nothing can be asked for.
static long open_requests(void) {
    return requests ? gp_system(openat, AT_FDCWD, requests, O_RDWR | O_NONBLOCK | O_CLOEXEC) : NEVER;
}

static int milliseconds_until(uint64_t time) {
    uint64_t present = gp_monotonic_of_kernel(), wait = time > present ? (time - present) / GP_MILLISECOND_NS + 1 : 0;
    return interval_ns == 0 || wait > LOOK_MS ? LOOK_MS : (int)wait;
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
    own_id = (uint32_t)gp_system(gettid, 0);
    gp_system(prctl, PR_SET_NAME, "gameprof", 0, 0, 0);
    long descriptor = open_requests();
    for (uint64_t next = gp_monotonic_of_kernel() + interval_ns; atomic_load(&state) != STOPPED;) {
        struct pollfd poll = {.fd = (int)descriptor, .events = POLLIN};
        char bytes[64];
        long ready = wait_for(&poll, milliseconds_until(next));
        bool asked = ready > 0 && gp_system(read, descriptor, bytes, sizeof bytes) > 0;
        if (ready > 0 && !asked)
            descriptor = open_requests();  // the program closed it
        if (at_peak && gp_live_peak_is_due())
            take_peak();
        if (asked) {
            take("request");
            gp_generation_mark("request");
        }
        if (interval_ns && gp_monotonic_of_kernel() >= next) {
            take("interval");
            next = gp_monotonic_of_kernel() + interval_ns;
        }
        end_with_the_others();
    }
    return NULL;
}

static void read_options(const char *options) {
    for (gp_word word, value; gp_word_next(&options, ";", &word);) {
        if (gp_word_value(word, "every", &value)) {
            interval_ns = gp_number_at(value.text) * 1000000;
        } else if (gp_word_is(word, "peak")) {
            at_peak = true;
        } else if (gp_word_value(word, "requests", &value)) {
            requests = value.text;
            return;  // a path may hold anything
        }
    }
}

void gp_snapshot_thread_start(const char *options) {
    gp_thread *creator = gp_thread_current();
    read_options(options);
    if ((interval_ns == 0 && !requests && !at_peak) || !creator)
        return;
    uint64_t mask = ~(1ull << (gp_stop_signal() - 1)), before;
    pthread_attr_t attributes;
    pthread_t thread;
    creator->busy = true;
    gp_system(rt_sigprocmask, SIG_SETMASK, &mask, &before, sizeof mask);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, serve, NULL);
    pthread_attr_destroy(&attributes);
    gp_system(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    creator->busy = false;
    if (at_peak)
        gp_live_peak_watch();
}

void gp_snapshot_thread_stop(void) {
    gp_heap_timeout patience = {0};
    uint32_t resting = RESTING;
    while (!atomic_compare_exchange_strong(&state, &resting, STOPPED) && resting != STOPPED &&
           gp_heap_wait_on(&patience))
        resting = RESTING;
    gp_live_peak_end();
}
