// The sampler's state of one thread: kept apart from the recorder's, which the handler may interrupt.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "sampled_stack.h"
#include "thread.h"
#include "work_label.h"

typedef struct gp_sampled_thread {
    gp_thread state;  // writer, stack memo and stack bounds of the handler
    struct gp_sampled_thread *next;  // all that ever were; never unlinked
    _Atomic uint32_t owner;  // kernel thread id, 0: free for another thread
    _Atomic bool inside;  // the handler runs
    bool has_bounds;
    _Atomic int event;  // perf event, −1: none
    _Atomic int timer;  // CPU timer, −1: none. Besides an event: for the time in the kernel
    volatile uint64_t first_ns;  // the event's period until the first sample, 0: it has its own
    uint64_t cpu_armed;  // the thread's CPU time as the event began
    uint64_t cpu_before;  // the thread's CPU time when sampling began
    uint64_t system_before;
    uint64_t lost;
    uint64_t unscheduled_ns;  // what the wall-clock sampler has read of it; 0: nothing yet
    gp_outermost_frames outermost;  // of the last deep stack
    gp_async_chain awaiting;  // the callers that the last sample found
    gp_work_label work;  // that the last sample was taken at
    uint64_t work_chunk;  // number of the chunk that says so
} gp_sampled_thread;

// The calling thread's state, NULL: it is not known yet, or the thread is not sampled. Set by its handler too.
extern __thread gp_sampled_thread *gp_sampled_thread_here
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// First of the list over `next`.
gp_sampled_thread *gp_sampled_thread_first(void);

// The state of a thread, NULL: it is not sampled. Async-signal-safe.
gp_sampled_thread *gp_sampled_thread_find(uint32_t id);

// A state for the thread, taken over from one that has ended where possible. NULL: no memory, or it has one already.
gp_sampled_thread *gp_sampled_thread_make(uint32_t id);

// A recording has ended: in the next one threads have the states that they had, made anew, and those of threads that have ended are
// free.
void gp_sampled_threads_begin_again(void);

// Writes what the thread used in all (GP_THREAD_TIME).
void gp_sampled_thread_write_time(gp_sampled_thread *thread);

// What interrupts a thread after each period of its CPU time: a perf event of its own, or a CPU timer.

// Has the thread sampled from now on, for the first time at random within its first period.
void gp_sampled_thread_arm(gp_sampled_thread *thread);

// Ends that. It may be asked for by several threads at once.
void gp_sampled_thread_disarm(gp_sampled_thread *thread);

// At the first signal of a perf event: gives it its period. False: its first time fell into the kernel, where no sample
// is taken, and this is a later one, after no more than a part of a period. Async-signal-safe.
bool gp_sampled_thread_begin_regularly(gp_sampled_thread *thread);

// What is taken at each signal that asks for a sample: the stack, its awaiting callers, what the thread works on.

// Takes a sample of what the signal interrupted, if its thread is sampled. `context`: the handler's ucontext_t. Call in
// the handler; leaves errno alone.
void gp_sample_take(const siginfo_t *info, void *context);
