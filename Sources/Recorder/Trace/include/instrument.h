// What an instrument does at the events of a recording, apart from its hooks. Functions may be NULL.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_thread;

typedef enum {
    GP_NEEDS_BLOCKS = 1 << 0,  // the functions of malloc call it
    GP_NEEDS_RUNTIME = 1 << 1,  // it reads objects as the Swift runtime lays them out
    GP_NEEDS_SMALL_PAGES = 1 << 2,  // it protects pages of GP_PAGE bytes
} gp_need;

typedef struct {
    uint32_t recorded;  // GP_INSTRUMENT_*: it starts and prepares only when this is recorded; 0: always
    const char *variable;  // of the environment, that holds its options; NULL: it has none
    uint8_t needs;  // GP_NEEDS_*: where one is missing what is `recorded` is refused
    uint32_t excluded;  // GP_INSTRUMENT_* that cannot be recorded beside it
    const char *exclusion;  // the reason, as a sentence
    const char *too_late;  // why it cannot begin after the first allocation, as a sentence; NULL: it can

    // Asked before it is prepared. Why it finds nothing in this process, as a sentence; NULL: it may find something.
    const char *(*refusal)(void);
    // False: some living blocks are not known to it.
    bool (*knows_blocks)(void);
    // Signals that must not wait while the recording ends: a bit each, as gp_signal_bit.
    uint64_t (*signals)(void);

    // In the order in which they are called, by a thread that is busy. `options`: NULL: none.
    // The recording begins: inside the first allocation, before the C library is initialised.
    void (*start)(struct gp_thread *thread, const char *options);
    // The C library is ready; the program's own code has not run.
    void (*prepare)(struct gp_thread *thread, const char *options);
    // Instead, where the process waits to be attached to: what a later recording can no longer do. No other thread runs.
    void (*wait)(const char *options);
    // The calling thread begins to run, or its destructors have run.
    void (*thread_begins)(void);
    void (*thread_ends)(void);
    // The recording is about to end: takes no more events where they would falsify what comes.
    void (*finish)(struct gp_thread *thread);
    // The program asks for a heap snapshot, or its heap was never so large. `flags`: GP_HEAP_*. False: there is none.
    bool (*snapshot)(struct gp_thread *thread, uint8_t flags, const char *name);
    // A fault or abort() is about to end the program. `context`: of the signal's handler (ucontext_t), NULL: there is none.
    // Async-signal-safe.
    void (*crash)(struct gp_thread *thread, const void *context);
    // The recording ends, in the reverse order: the heap as it is now. False `may_look`: objects are not looked at.
    void (*end)(struct gp_thread *thread, bool may_look);
    // Nothing is recorded any more: writes what it has kept. False: some of it could not be stored.
    bool (*flush)(struct gp_thread *thread);
} gp_instrument;
