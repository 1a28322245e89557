// Stopping every other thread of the process by a signal, with what is needed to scan it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "mapping.h"
#include "stack.h"
#include "task_list.h"
#include <ucontext.h>

typedef struct {
    uint32_t id;
    _Atomic uint32_t state;  // round << 2 | GP_STOP_*
    gp_task_call waited;  // when it was asked to stop
    uintptr_t sp;
    uintptr_t thread_pointer;
    bool in_kernel;  // it stands behind a `syscall`: nothing lives below sp or in vector registers
    uintptr_t registers[GP_REGISTER_COUNT];
    const void *vectors;  // saved vector registers on its stack, NULL: none
    size_t vectors_size;
    gp_registers at;  // where unwinding its stack begins
    long call;  // number of the system call in which it stands, −1: none or not known
    gp_mapping handler;  // the part of an alternate stack on which a crash is handled: no root
} gp_stopped_thread;

typedef struct {
    uint32_t count;  // entries of `threads`
    uint32_t stopped;  // without hidden ones
    uint32_t missed;  // did not stop in time
    gp_stopped_thread *threads;
} gp_stopped_threads;

// Fills in all but `id` and `state` for the calling thread, whose signal handler got `context`.
void gp_thread_read_interrupted(gp_stopped_thread *thread, const ucontext_t *context);

// Installs the handler of `gp_stop_signal`.
void gp_threads_prepare(void);

// Stops all threads but the caller, wherever they stand, except inside realloc. What is hidden from the snapshot holds
// nothing alive: a block that malloc returned and that the live table does not know yet is empty, a block that it knows
// no longer is being freed. Only realloc's block is full and unknown: that thread runs on until the block has arrived.
// Waits at most half a second. False: the threads could not be listed, and those that the recorder knows were stopped.
bool gp_threads_stop(gp_stopped_threads *threads);

// Whether these and `caller` are all threads of `process`. False also where that could not be found out.
bool gp_threads_are_all(const gp_stopped_threads *threads, uint32_t process, uint32_t caller);

void gp_threads_resume(void);

// Whether `thread` (of the round just made) was stopped.
bool gp_thread_was_stopped(const gp_stopped_thread *thread);

// A signal's handler cuts short the system call in which its thread waits: poll, select, sleep and their like return
// EINTR, whatever SA_RESTART says. The program has not asked for the signal that stops it for a snapshot, so the call is
// taken up again as if nothing had been.

// The number of the call that the handler has cut short, −1: none, or not known. `waited`: in which it stood shortly before.
long gp_call_interrupted(const ucontext_t *context, const gp_task_call *waited);

// At the end of the handler: goes on waiting in call `number`, with the time that is left, and makes the call's result that of
// the interrupted one; or has the call made again when the handler returns. Does nothing when the thread did not wait.
// Does not return when the handler has interrupted its own waiting.
void gp_call_take_up(ucontext_t *context, long number);
