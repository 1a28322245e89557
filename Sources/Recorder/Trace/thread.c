#include "thread.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "arch.h"
#include "arena.h"
#include "recording_state.h"
#include "system.h"
#include "thread_control_block.h"
#include "thread_stack.h"
#include "task_list.h"

enum {
    GP_PHASE_RUNS = 0,
    GP_PHASE_ENDING = 1,  // its destructors ran; it may still free a block or two until the kernel has ended it
    GP_PHASE_CLAIMED = 2,  // being taken over by another thread
    GP_PHASE_BITS = 3,  // above them the state's owners are counted
};

enum { GP_SWEEP_INTERVAL = 64 };

__thread gp_thread *gp_thread_here;
__thread bool gp_thread_hides;
static __thread bool impossible __attribute__((tls_model("initial-exec")));
static _Atomic(gp_thread *) first;
static _Atomic uint32_t made;
static pthread_key_t end_key;
static bool end_key_made;
static const gp_thread_observer *_Atomic observer;

void gp_thread_observe(const gp_thread_observer *observing) {
    atomic_store(&observer, observing);
}

gp_thread *gp_thread_first(void) {
    return atomic_load(&first);
}

// Asked for each thread at each sample and stop: most programs have no such thread.
static _Atomic bool has_hidden;

bool gp_thread_is_hidden(uint32_t id) {
    if (!atomic_load_explicit(&has_hidden, memory_order_relaxed))
        return false;
    for (const gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        if (thread->id == id && thread->alive)
            return thread->is_hidden;
    return false;
}

static uint32_t kernel_id(void) {
    return (uint32_t)gp_system(gettid, 0);
}

static bool is_gone(uint32_t id) {
    return gp_system(tgkill, gp_system(getpid, 0), id, 0) < 0;
}

// Without /proc what is known of a stack is that it reaches from here to its outer end.
static void find_stack(gp_thread *thread) {
    gp_thread_stack stack;
    if (!gp_thread_stack_find(thread->id, &stack)) {
        bool is_main = thread->id == (uint32_t)gp_system(getpid, 0);
        stack.low = is_main ? 0 : gp_page_start((uintptr_t)&stack) - GP_PAGE;
        stack.high = gp_thread_stack_top(thread->id);
    }
    thread->stack_low = stack.low;
    thread->stack_high = stack.high;
}

// A state whose thread has ended; the kernel is asked, since a thread allocates and frees after its last destructor.
static gp_thread *claim_ended(void) {
    bool sweep = atomic_load(&made) >= GP_SWEEP_INTERVAL && atomic_fetch_add(&made, 1) % GP_SWEEP_INTERVAL == 0;
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next) {
        uint32_t phase = atomic_load(&thread->phase);
        const uint32_t now = phase & GP_PHASE_BITS, claimed = (phase & ~(uint32_t)GP_PHASE_BITS) | GP_PHASE_CLAIMED;
        if (now == GP_PHASE_CLAIMED || (now == GP_PHASE_RUNS && !sweep))
            continue;
        // Not where another owner came and went meanwhile, who may still be there.
        if ((is_gone(thread->id) || thread->id == kernel_id()) &&
            atomic_compare_exchange_strong(&thread->phase, &phase, claimed))
            return thread;
    }
    return NULL;
}

static void continue_chunk(gp_thread *thread) {
    thread->writer.temporary = NULL;
    thread->writer.repeat = NULL;
    if (thread->writer.chunk && !thread->is_hidden)
        gp_write_cell(thread, &(gp_thread_mark){.kind = GP_THREAD, .thread = thread->id});
}

static void begin_events(gp_thread *thread) {
    thread->last_block = 0;
    thread->repeated.address = 1;  // odd: no block's
    thread->events_unlooked = thread->looks_apart = 0;
}

static void prepare(gp_thread *thread) {
    thread->busy = true;
    thread->is_hidden = gp_thread_hides;
    if (gp_thread_hides)
        atomic_store(&has_hidden, true);
    thread->id = kernel_id();
    thread->thread_pointer = gp_control_block();
    begin_events(thread);
    thread->rounds = 0;
    thread->hold_stop = thread->stop_held = false;
    const gp_thread_observer *observing = atomic_load_explicit(&observer, memory_order_relaxed);
    if (observing)
        observing->begins(thread);
    find_stack(thread);
    atomic_store(&thread->alive, true);
}

// A thread's state begins and ends on cache lines of its own (pairs of them, which are fetched together): two threads
// writing into one line cost each other 15 ns an event.
static gp_thread *allocate_apart(void) {
    enum { LINES = 128 };
    uintptr_t room = (uintptr_t)gp_arena_allocate(sizeof(gp_thread) + 2 * LINES);
    return room ? (gp_thread *)((room + LINES - 1) & ~(uintptr_t)(LINES - 1)) : NULL;
}

gp_thread *gp_thread_make_apart(void) {
    gp_thread *thread = allocate_apart();
    if (thread)
        prepare(thread);
    return thread;
}

gp_thread *gp_thread_moving_block(uint32_t id) {
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        if (thread->id == id && thread->hold_stop)
            return thread;
    return NULL;
}

static gp_thread *make(void) {
    gp_thread *thread = claim_ended();
    if (thread) {
        prepare(thread);
        continue_chunk(thread);
        atomic_fetch_add(&thread->phase, GP_PHASE_BITS + 1 - GP_PHASE_CLAIMED);  // runs, of the next owner
        return thread;
    }
    thread = allocate_apart();
    if (!thread)
        return NULL;
    prepare(thread);
    atomic_fetch_add(&made, 1);
    thread->next = atomic_load(&first);
    while (!atomic_compare_exchange_weak(&first, &thread->next, thread)) {
    }
    return thread;
}

void gp_thread_is_alone(void) {
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        if (thread != gp_thread_here && atomic_exchange(&thread->alive, false)) {
            gp_thread_leave(thread);
            atomic_fetch_add(&thread->phase, GP_PHASE_ENDING);
        }
    if (gp_thread_here) {
        gp_thread_here->id = kernel_id();
        memset(gp_thread_here->types, 0, sizeof gp_thread_here->types);
    }
}

void gp_threads_begin_again(void) {
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next) {
        gp_write_begin_again(&thread->writer);
        begin_events(thread);
        thread->live_change = 0;
    }
}

// The chunks are the parent's.
gp_thread *gp_thread_begin_in_child(void) {
    gp_thread *own = gp_thread_here;
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        if (thread->writer.chunk)
            gp_system(munmap, thread->writer.chunk, GP_CHUNK_SIZE);
    own->writer = (gp_writer){.chunk = NULL};
    own->next = NULL;
    memset(own->types, 0, sizeof own->types);
    atomic_store(&first, own);
    atomic_store(&made, 1);
    prepare(own);
    return own;
}

gp_thread *gp_thread_make(void) {
    if (impossible)
        return NULL;
    impossible = true;
    gp_thread *thread = make();
    gp_thread_here = thread;
    impossible = false;
    if (thread && __atomic_load_n(&end_key_made, __ATOMIC_ACQUIRE))
        pthread_setspecific(end_key, thread);
    if (thread && !thread->is_hidden)
        gp_thread_leave(thread);
    return thread;
}

// Runs in the last of the rounds that the C library makes, after the destructors of everybody else.
static void thread_ends(void *value) {
    gp_thread *thread = value;
    if (++thread->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        thread->busy = true;
        pthread_setspecific(end_key, thread);
        if (!thread->is_hidden)
            gp_thread_leave(thread);
        return;
    }
    thread->busy = true;
    const gp_thread_observer *observing = atomic_load_explicit(&observer, memory_order_relaxed);
    if (observing && gp_recording_now() != GP_RECORDING_UNKNOWN)
        observing->ends(thread);
    if (gp_recording_runs() && !thread->is_hidden) {
        gp_thread_write_name(thread, thread);
        gp_write_cell(thread, &(gp_thread_mark){.kind = GP_THREAD_END, .thread = thread->id});
    }
    if (!thread->is_hidden)
        gp_thread_leave(thread);
    atomic_store(&thread->alive, false);
    atomic_fetch_add(&thread->phase, GP_PHASE_ENDING);
}

void gp_thread_make_key(void) {
    if (end_key_made || pthread_key_create(&end_key, thread_ends) != 0)
        return;
    // Or a thread that begins just now would set key 0, which may be somebody else's.
    __atomic_store_n(&end_key_made, true, __ATOMIC_RELEASE);
    gp_thread *thread = gp_thread_current();
    if (thread) {
        thread->busy = true;
        pthread_setspecific(end_key, thread);
        gp_thread_leave(thread);
    }
}

void gp_thread_write_name(gp_thread *writing, const gp_thread *named) {
    char name[32];
    long length = gp_task_file_read(named->id, "comm", name, sizeof name);
    if (length > 0 && name[length - 1] == '\n')
        length--;
    if (length <= 0)
        return;
    gp_thread_name record = {.header.kind = GP_THREAD_NAME, .thread = named->id};
    gp_write_record(writing, &record, sizeof record, name, (size_t)length);
}
