// The recorder's state of one thread. It is reached through one thread-local pointer, mapped apart from the heap, and
// reused by a later thread when its own ends.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slow_path.h"
#include "trace_writer.h"

// Room for what the unwinder and the type table keep of a thread. Only they know what it holds; it lies at fixed offsets
// because the hooks of malloc read it.
#define GP_ONE_SLOT(NAME, name, number, with) +1
enum {
    GP_THREAD_TYPE_BYTES = 4096,
    GP_THREAD_STACK_BYTES = 283 << 10,
    GP_THREAD_SLOTS = GP_EACH_INSTRUMENT(GP_ONE_SLOT),
};
#undef GP_ONE_SLOT

// The block that the writer's GP_REPEAT counts while there is one, by all that the next one must have in common with it.
typedef struct {
    uintptr_t address;
    uint64_t size;
    uint64_t *place;  // in the live table
    uint64_t entry;
    uintptr_t first_word;
    uint32_t stack;
} gp_repeated_block;

typedef struct gp_thread {
    // Probes write through the first fields: gp_probe_buffer of Probes.h.
    bool busy;  // inside the recorder: what it allocates itself is not recorded
    uint32_t id;  // kernel thread id
    gp_writer writer;
    int32_t blocks_unchosen;  // how many more blocks may pass before one is considered for pages of its own
    struct gp_thread *next;  // all threads that ever were, for the snapshot; never unlinked
    _Atomic bool alive;
    bool is_hidden;  // busy from its first to its last instruction (gp_thread_hides)
    uintptr_t stack_low, stack_high;  // bounds of its stack
    uintptr_t thread_pointer;
    void *signal_stack;  // lent to it while it runs; NULL: none yet. A later thread inherits it

    uintptr_t last_block;  // the block that this thread allocated last
    int64_t live_change;  // bytes that it allocated less those that it freed, until others are told
    gp_repeated_block repeated;
    uint32_t events_unlooked;  // how many more events may pass before the clock is read again
    uint32_t looks_apart;  // how many pass after the next look that sees the same time
    uint32_t rounds;  // of thread-specific destructors that have run
    _Atomic uint32_t phase;  // GP_PHASE_* of thread.c

    // While hold_stop is set a block is on its way from one address to another (realloc) and the live table does not
    // know it: the handler of gp_stop_signal must then only set stop_held and return. The signal is sent again
    // by the thread itself as soon as the block has arrived.
    volatile bool hold_stop, stop_held;

    void *slots[GP_THREAD_SLOTS];  // what each instrument keeps, NULL: nothing yet. A later thread inherits it
    _Alignas(64) uint8_t types[GP_THREAD_TYPE_BYTES];
    _Alignas(64) uint8_t stacks[GP_THREAD_STACK_BYTES];
} gp_thread;

// The thread leaves the recorder (gp_thread_enter). Released: whoever finds it outside, at the end of the recording, finds all that it wrote, and
// no cell of which one word is old.
static inline void gp_thread_leave(gp_thread *thread) {
    __atomic_store_n(&thread->busy, false, __ATOMIC_RELEASE);
}

static inline bool gp_thread_is_inside(const gp_thread *thread) {
    return __atomic_load_n(&thread->busy, __ATOMIC_ACQUIRE);
}

// The place of an instrument's own state of a thread. `instrument`: GP_INSTRUMENT_*.
static inline void **gp_thread_slot(gp_thread *thread, uint32_t instrument) {
    return &thread->slots[__builtin_ctz(instrument)];
}

// Whether the calling thread, and what it creates, is no part of the program: nothing that it does is recorded, and its stack and
// registers are no roots. What it allocates lives and holds what it names, as the recorder's own. To be set before the thread's
// first event, or while it is busy.
extern __thread __attribute__((tls_model("initial-exec"), visibility("hidden"))) bool gp_thread_hides;

// Whether this thread has begun while that was set.
bool gp_thread_is_hidden(uint32_t id);

// What happens to a thread's state elsewhere. Also inside malloc and in signal handlers: nothing may allocate or lock.
typedef struct {
    void (*begins)(gp_thread *thread);  // the state is given to a thread; it is busy
    void (*ends)(gp_thread *thread);  // its destructors have run; called in it while something is recorded
} gp_thread_observer;

// Call before the first state is made.
void gp_thread_observe(const gp_thread_observer *observer);

// The calling thread's state, made at its first use; NULL while that is not possible (no memory, thread is ending).
// Async-signal-safe once made. Declared with the initial-exec model: the access never allocates.
static inline gp_thread *gp_thread_current(void);

// First of the list over `next`.
gp_thread *gp_thread_first(void);

// Another state for the calling thread, for a signal handler that interrupted the recorder: its own is in the middle of
// something. It is busy and not listed; whoever made it makes it the thread's and flushes its writer. NULL: no memory.
gp_thread *gp_thread_make_apart(void);

// In a child made by fork, which has the calling thread alone: forgets the others. The state, which was made before, is busy.
gp_thread *gp_thread_begin_in_child(void);

// In a child made by fork that is not recorded: the calling thread is the only one.
void gp_thread_is_alone(void);

// A recording begins in a process that made one before.
void gp_threads_begin_again(void);

// The thread with this id if its `hold_stop` is set, else NULL.
gp_thread *gp_thread_moving_block(uint32_t id);

extern __thread __attribute__((tls_model("initial-exec"), visibility("hidden"))) gp_thread *gp_thread_here;
GP_SLOW_PATH gp_thread *gp_thread_make(void);

static inline gp_thread *gp_thread_current(void) {
    gp_thread *thread = gp_thread_here;
    return __builtin_expect(thread != NULL, 1) ? thread : gp_thread_make();
}

// The calling thread, which is inside the recorder from now on until gp_thread_leave. NULL: it is inside already, or has no state.
static inline gp_thread *gp_thread_enter(void) {
    gp_thread *thread = gp_thread_current();
    if (!thread || thread->busy)
        return NULL;
    thread->busy = true;
    return thread;
}

// Call once, when the C library is ready. Threads that recorded before are registered at their next event.
void gp_thread_make_key(void);

struct gp_thread;

// Writes the GP_THREAD_NAME of `named` into the chunk of `writing`.
void gp_thread_write_name(struct gp_thread *writing, const struct gp_thread *named);
