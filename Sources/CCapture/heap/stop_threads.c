#include "stop_threads.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "../recorder/system.h"
#include "../recorder/task_list.h"
#include "../signals/kernel_signals.h"
#include "arena.h"
#include "heap.h"
#include "interrupted_call.h"
#include "signal_chain.h"
#include "thread.h"

enum { GP_STOP_ASKED, GP_STOP_STOPPED, GP_STOP_GONE };
enum { GP_THREADS_MAX = 16384, GP_STOP_LIMIT_MS = 500 };

static gp_stopped_thread *slots;
static _Atomic uint32_t slot_count;
static _Atomic uint32_t round_number;  // odd: a round is on and its threads stand still; even: all may run
static _Atomic uint32_t arrivals;

static void wait_while(_Atomic uint32_t *word, uint32_t value, long nanoseconds) {
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
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

static void read_context(gp_stopped_thread *slot, const ucontext_t *context) {
    static const int order[GP_REGISTER_COUNT] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                                 REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                 REG_R12, REG_R13, REG_R14, REG_R15};
    const greg_t *registers = context->uc_mcontext.gregs;
    for (int i = 0; i < GP_REGISTER_COUNT; i++)
        slot->registers[i] = (uintptr_t)registers[order[i]];
    slot->sp = (uintptr_t)registers[REG_RSP];
    slot->thread_pointer = (uintptr_t)__builtin_thread_pointer();
    // Unwinding looks a return address up at its last byte before: here the instruction itself is meant.
    slot->at = (gp_registers){(uintptr_t)registers[REG_RIP] + 1, slot->sp, (uintptr_t)registers[REG_RBP]};
    const uint8_t *pc = (const uint8_t *)registers[REG_RIP];
    bool before = ((uintptr_t)pc & 4095) >= 2 && pc[-2] == 0x0f && pc[-1] == 0x05;
    bool at = ((uintptr_t)pc & 4095) <= 4094 && pc[0] == 0x0f && pc[1] == 0x05;  // about to be restarted
    slot->in_kernel = before || at;
    slot->call = at ? (long)registers[REG_RAX] : gp_call_interrupted(context);
    slot->vectors = context->uc_mcontext.fpregs;
    // The kernel notes the size of the extended state behind FP_XSTATE_MAGIC1 in the legacy area's last bytes.
    const uint32_t *software = (const uint32_t *)((const uint8_t *)slot->vectors + 464);
    slot->vectors_size = !slot->vectors ? 0 : software[0] == 0x46505853u ? software[1] : 512;
}

// Stands still until the round is over, unless it is none of this thread's business.
static void stand_still(ucontext_t *context) {
    uint32_t round = atomic_load(&round_number);
    if (!(round & 1))
        return;
    uint32_t id = (uint32_t)gp_system(gettid, 0);
    gp_stopped_thread *slot = NULL;
    for (uint32_t i = 0, count = atomic_load(&slot_count); i < count && !slot; i++)
        if (slots[i].id == id)
            slot = &slots[i];
    if (!slot || must_wait(id))
        return;
    read_context(slot, context);
    atomic_store(&slot->state, round << 2 | GP_STOP_STOPPED);
    atomic_fetch_add(&arrivals, 1);
    gp_system(futex, &arrivals, FUTEX_WAKE_PRIVATE, 1);
    while (atomic_load(&round_number) == round)
        wait_while(&round_number, round, 0);
}

// Its address marks the signals that the recorder sends: the program may use the same one.
static const char mark;

// All other signals wait until the thread runs on: the kernel then puts the mask of before back.
static bool stop_here(siginfo_t *info, void *context) {
    if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &mark)
        return false;
    gp_signal_block_all(true);
    stand_still(context);
    gp_call_take_up(context);
    return true;
}

long gp_heap_send_stop(uint32_t thread) {
    const long process = gp_system(getpid, 0);
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = gp_heap_stop_signal();
    info.si_code = SI_QUEUE;
    info.si_pid = (pid_t)process;
    info.si_value.sival_ptr = (void *)&mark;
    return gp_system(rt_tgsigqueueinfo, process, thread, gp_heap_stop_signal(), &info);
}

void gp_threads_prepare(void) {
    if (!slots)
        slots = gp_arena_allocate(GP_THREADS_MAX * sizeof *slots);
    gp_signal_chain_begin(gp_heap_stop_signal(), stop_here, NULL);
    // Whoever started the program may have blocked every signal: a worker thread of libdispatch does.
    gp_signal_unblock(gp_heap_stop_signal());
}

static gp_stopped_thread *slot_for(uint32_t id, uint32_t round) {
    uint32_t count = atomic_load(&slot_count);
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].id == id)
            return NULL;
    if (count == GP_THREADS_MAX)
        return NULL;
    gp_stopped_thread *slot = &slots[count];
    memset(slot, 0, sizeof *slot);
    slot->id = id;
    atomic_store(&slot->state, round << 2 | GP_STOP_ASKED);
    atomic_store(&slot_count, count + 1);
    return slot;
}

static void ask(gp_stopped_thread *slot, uint32_t round) {
    // Refused for another reason it runs on, and counts as missed.
    if (gp_heap_send_stop(slot->id) == -ESRCH)
        atomic_store(&slot->state, round << 2 | GP_STOP_GONE);
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

// How many threads still run. Forgets those that ended.
static uint32_t count_running(uint32_t round, bool look_for_ended) {
    uint32_t running = 0;
    for (uint32_t i = 0, count = atomic_load(&slot_count); i < count; i++) {
        bool asked = (atomic_load(&slots[i].state) & 3) == GP_STOP_ASKED;
        if (asked && look_for_ended && gp_task_has_ended(slots[i].id))
            atomic_store(&slots[i].state, round << 2 | GP_STOP_GONE);
        else
            running += asked;
    }
    return running;
}

static uint64_t milliseconds(void) {
    struct timespec now;
    gp_system(clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool gp_threads_stop(gp_stopped_threads *threads) {
    if (!slots)
        return false;
    atomic_store(&slot_count, 0);
    uint32_t round = atomic_load(&round_number) + 1;
    atomic_store(&round_number, round);
    uint64_t limit = milliseconds() + GP_STOP_LIMIT_MS;
    listing list = {.round = round, .self = (uint32_t)gp_system(gettid, 0)};
    uint32_t running;
    bool listed;
    do {
        uint32_t seen = atomic_load(&arrivals);
        list.added = 0;
        listed = gp_task_each(ask_new_thread, &list);
        running = count_running(round, false);
        for (int turn = 0; running && milliseconds() < limit; turn++) {
            wait_while(&arrivals, seen, 100000);
            seen = atomic_load(&arrivals);
            running = count_running(round, turn % 32 == 31);
        }
    } while (listed && list.added && milliseconds() < limit);
    *threads = (gp_stopped_threads){.count = atomic_load(&slot_count), .missed = running, .threads = slots};
    for (uint32_t i = 0; i < threads->count; i++)
        threads->stopped += gp_thread_was_stopped(&slots[i]);
    if (list.added && threads->count == GP_THREADS_MAX)
        threads->missed++;
    return listed;
}

void gp_threads_resume(void) {
    atomic_fetch_add(&round_number, 1);
    gp_system(futex, &round_number, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

bool gp_thread_was_stopped(const gp_stopped_thread *thread) {
    return atomic_load(&thread->state) == (atomic_load(&round_number) << 2 | GP_STOP_STOPPED);
}
