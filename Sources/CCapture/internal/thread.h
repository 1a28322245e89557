// The recorder's state of one thread. It is reached through one thread-local pointer, mapped apart from the heap, and
// reused by a later thread when its own ends.
#ifndef GP_THREAD_H
#define GP_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slow_path.h"
#include "stack.h"
#include "swift_types.h"
#include "trace_writer.h"

typedef struct gp_thread {
    // Probes write through the first fields: gp_probe_lane of Probes.h.
    bool busy;  // inside the recorder: what it allocates itself is not recorded
    uint32_t id;  // kernel thread id
    gp_writer writer;
    gp_type_cache types;
    gp_stacks stacks;
    struct gp_thread *next;  // all threads that ever were, for the snapshot; never unlinked
    _Atomic bool alive;
    uintptr_t stack_low, stack_high;  // bounds of its stack
    uintptr_t thread_pointer;  // fs base

    uintptr_t last_block;  // the block that this thread allocated last
    uint32_t events_unlooked;  // how many more events may pass before the clock is read again
    uint32_t rounds;  // of thread-specific destructors that have run
    _Atomic uint32_t phase;  // GP_PHASE_* of thread.c

    // While hold_stop is set a block is on its way from one address to another (realloc) and the live table does not
    // know it: the handler of gp_heap_stop_signal must then only set stop_held and return. The signal is sent again
    // by the thread itself as soon as the block has arrived.
    volatile bool hold_stop, stop_held;

    struct gp_deaths *deaths;  // of the zombies instrument, NULL: none yet
} gp_thread;

// The calling thread's state, made at its first use; NULL while that is not possible (no memory, thread is ending).
// Async-signal-safe once made. Declared with the initial-exec model: the access never allocates.
static inline gp_thread *gp_thread_current(void);

// First of the list over `next`.
gp_thread *gp_thread_first(void);

// Another state for the calling thread, for a signal handler that interrupted the recorder: its own is in the middle of
// something. It is busy and not listed; whoever made it makes it the thread's and flushes its writer. NULL: no memory.
gp_thread *gp_thread_make_apart(void);

// The thread with this id if its `hold_stop` is set, else NULL.
gp_thread *gp_thread_moving_block(uint32_t id);

extern __thread __attribute__((tls_model("initial-exec"), visibility("hidden"))) gp_thread *gp_thread_here;
GP_SLOW_PATH gp_thread *gp_thread_make(void);

static inline gp_thread *gp_thread_current(void) {
    gp_thread *thread = gp_thread_here;
    return __builtin_expect(thread != NULL, 1) ? thread : gp_thread_make();
}

#endif
