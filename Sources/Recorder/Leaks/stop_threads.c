#include "stop_threads.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "proc_path.h"
#include "read_clock.h"
#include "system.h"
#include "thread_control_block.h"
#include "task_list.h"
#include "kernel_signals.h"
#include "arena.h"
#include "code.h"
#include "heap.h"
#include "signal_chain.h"
#include "thread.h"

enum { GP_STOP_ASKED, GP_STOP_STOPPED, GP_STOP_GONE, GP_STOP_WRITING };
enum { GP_THREADS_MAX = 16384, GP_STOP_LIMIT_MS = 500 };

static gp_stopped_thread *slots;
static _Atomic uint32_t slot_count;
static _Atomic uint32_t round_number;  // odd: a round is on and its threads stand still; even: all may run
static _Atomic uint32_t arrivals;
static gp_signal_claim other_claim;  // NULL: there is none

static void wait_while(_Atomic uint32_t *word, uint32_t value, uint64_t nanoseconds) {
    const struct timespec limit = gp_timespec(nanoseconds);
    gp_system(futex, word, FUTEX_WAIT_PRIVATE, value, nanoseconds ? &limit : NULL);
}

// Whether a block of this thread is on its way from one address to another. The thread then sends itself the signal
// again when it has arrived.
static bool must_wait(uint32_t id) {
    gp_thread *thread = gp_thread_moving_block(id);
    if (thread)
        thread->stop_held = true;
    return thread != NULL;
}

void gp_thread_read_interrupted(gp_stopped_thread *slot, const ucontext_t *context) {
    for (int i = 0; i < GP_REGISTER_COUNT; i++)
        slot->registers[i] = gp_context_register(context, i);
    slot->sp = gp_context_sp(context);
    slot->thread_pointer = gp_control_block();
    slot->at = gp_context_start(context);
    const uintptr_t pc = gp_context_pc(context);
    const bool is_about_to_restart = gp_code_is_at_system_call(pc);
    slot->in_kernel = is_about_to_restart || gp_code_is_behind_system_call(pc);
    slot->call = is_about_to_restart ? gp_context_call_number(context) : gp_call_interrupted(context, &slot->waited);
    slot->vectors = gp_context_vectors(context, &slot->vectors_size);
}

// Stands still until the round is over; false: it is none of this thread's business. `number`: of the call that the handler has
// cut short.
static bool stand_still(const ucontext_t *context, long *number) {
    uint32_t round = atomic_load(&round_number);
    if (!(round & 1))
        return false;
    uint32_t id = (uint32_t)gp_system(gettid, 0);
    gp_stopped_thread *slot = NULL;
    for (uint32_t i = 0, count = atomic_load(&slot_count); i < count && !slot; i++)
        if (slots[i].id == id)
            slot = &slots[i];
    if (!slot || must_wait(id))
        return false;
    // A thread that was held up since an earlier round finds its slot asked anew, or another's in its place.
    uint32_t asked = round << 2 | GP_STOP_ASKED;
    if (!atomic_compare_exchange_strong(&slot->state, &asked, round << 2 | GP_STOP_WRITING))
        return false;
    gp_thread_read_interrupted(slot, context);
    *number = gp_context_result(context) == -EINTR ? slot->call : -1;  // the slot may be another's soon
    atomic_store(&slot->state, round << 2 | GP_STOP_STOPPED);
    atomic_fetch_add(&arrivals, 1);
    gp_system(futex, &arrivals, FUTEX_WAKE_PRIVATE, 1);
    while (atomic_load(&round_number) == round)
        wait_while(&round_number, round, 0);
    return true;
}

// All other signals wait until the thread runs on: the kernel then puts the mask of before back.
static bool stop_here(siginfo_t *info, void *context) {
    const bool stops = gp_stop_signal_is_ours(info);
    if (!stops && !(other_claim && other_claim(info, context)))
        return false;
    gp_signal_set_mask(UINT64_MAX);
    static const gp_task_call none;
    long number;
    if (!stops || !stand_still(context, &number))
        number = gp_call_interrupted(context, &none);
    gp_call_take_up(context, number);
    return true;
}

void gp_threads_prepare(void) {
    if (!slots)
        slots = gp_arena_allocate(GP_THREADS_MAX * sizeof *slots);
    gp_signal_chain_begin(gp_stop_signal(), stop_here, NULL);
    // Whoever started the program may have blocked every signal: a worker thread of libdispatch does.
    gp_signal_unblock(gp_stop_signal());
}

void gp_stop_signal_share(gp_signal_claim claim) {
    other_claim = claim;
    gp_stop_signal_choose();
    gp_threads_prepare();
}

// False: a thread that was held up in an earlier round still writes there.
static bool take_slot(gp_stopped_thread *slot, uint32_t round) {
    uint32_t state = atomic_load(&slot->state);
    while ((state & 3) != GP_STOP_WRITING)
        if (atomic_compare_exchange_strong(&slot->state, &state, round << 2 | GP_STOP_GONE))
            return true;
    return false;
}

static gp_stopped_thread *slot_for(uint32_t id, uint32_t round) {
    uint32_t count = atomic_load(&slot_count);
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].id == id)
            return NULL;
    while (count < GP_THREADS_MAX && !take_slot(&slots[count], round))
        slots[count++].id = 0;
    if (count == GP_THREADS_MAX)
        return NULL;
    gp_stopped_thread *slot = &slots[count];
    memset(slot, 0, sizeof *slot);
    slot->id = id;
    atomic_store(&slot->state, round << 2 | GP_STOP_ASKED);
    atomic_store(&slot_count, count + 1);
    return slot;
}

static void note_gone(gp_stopped_thread *slot, uint32_t round) {
    uint32_t asked = round << 2 | GP_STOP_ASKED;
    atomic_compare_exchange_strong(&slot->state, &asked, round << 2 | GP_STOP_GONE);
}

static void ask(gp_stopped_thread *slot, uint32_t round) {
    gp_task_call_read(slot->id, &slot->waited);
    // Refused for another reason it runs on, and counts as missed.
    if (gp_stop_signal_send(slot->id) == -ESRCH)
        note_gone(slot, round);
}

typedef struct {
    uint32_t round, self, added;
} listing;

static bool ask_new_thread(uint32_t id, void *context) {
    listing *list = context;
    gp_stopped_thread *slot = id == list->self ? NULL : slot_for(id, list->round);
    if (slot) {
        list->added++;
        ask(slot, list->round);
    }
    return true;
}

// Those that the recorder knows. Where no file can be opened there is no other list.
static void ask_known_threads(listing *list) {
    for (const gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        if (thread->alive)
            ask_new_thread(thread->id, list);
}

// How many threads still run. Forgets those that ended.
static uint32_t count_running(uint32_t round, bool look_for_ended) {
    uint32_t running = 0;
    for (uint32_t i = 0, count = atomic_load(&slot_count); i < count; i++) {
        const uint32_t state = atomic_load(&slots[i].state);
        const bool asked = state == (round << 2 | GP_STOP_ASKED);
        if (asked && look_for_ended && gp_task_has_ended(slots[i].id))
            note_gone(&slots[i], round);
        else
            running += asked || state == (round << 2 | GP_STOP_WRITING);
    }
    return running;
}

static uint64_t milliseconds(void) {
    return gp_monotonic_of_kernel() / GP_MILLISECOND_NS;
}

bool gp_threads_stop(gp_stopped_threads *threads) {
    if (!slots)
        return false;
    atomic_store(&slot_count, 0);
    uint32_t round = (atomic_load(&round_number) + 1) | 1;  // a round may be on that this process was forked in
    atomic_store(&round_number, round);
    uint64_t limit = milliseconds() + GP_STOP_LIMIT_MS;
    listing list = {.round = round, .self = (uint32_t)gp_system(gettid, 0)};
    uint32_t running;
    bool listed;
    do {
        uint32_t seen = atomic_load(&arrivals);
        list.added = 0;
        listed = gp_task_each(ask_new_thread, &list);
        if (!listed)
            ask_known_threads(&list);
        running = count_running(round, false);
        for (int turn = 0; running && milliseconds() < limit; turn++) {
            wait_while(&arrivals, seen, 100000);
            seen = atomic_load(&arrivals);
            running = count_running(round, turn % 32 == 31);
        }
    } while (listed && list.added && milliseconds() < limit);
    *threads = (gp_stopped_threads){.count = atomic_load(&slot_count), .missed = running, .threads = slots};
    for (uint32_t i = 0; i < threads->count; i++)
        threads->stopped += gp_thread_was_stopped(&slots[i]) && !gp_thread_is_hidden(slots[i].id);
    if (list.added && threads->count == GP_THREADS_MAX)
        threads->missed++;
    return listed;
}

typedef struct {
    const gp_stopped_threads *threads;
    uint32_t caller;
    bool are_all;
} comparison;

static bool compare(uint32_t id, void *context) {
    comparison *c = context;
    bool found = id == c->caller;
    for (uint32_t i = 0; i < c->threads->count && !found; i++)
        found = c->threads->threads[i].id == id;
    return c->are_all = found;
}

bool gp_threads_are_all(const gp_stopped_threads *threads, uint32_t process, uint32_t caller) {
    char path[GP_PROC_PATH];
    gp_proc_path(path, "/proc/", process, "/task");
    comparison c = {threads, caller, false};
    return gp_numbers_each(path, compare, &c) && c.are_all;
}

void gp_threads_resume(void) {
    atomic_fetch_add(&round_number, 1);
    gp_system(futex, &round_number, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

bool gp_thread_was_stopped(const gp_stopped_thread *thread) {
    return atomic_load(&thread->state) == (atomic_load(&round_number) << 2 | GP_STOP_STOPPED);
}
