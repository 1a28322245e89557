// What an instrument does at the events of a recording, apart from its hooks. Functions may be NULL.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_thread;

typedef struct {
    uint32_t recorded;  // GP_INSTRUMENT_*: it starts and prepares only when this is recorded; 0: always
    const char *variable;  // of the environment, that holds its options; NULL: it has none

    // In the order in which they are called, by a thread that is busy. `options`: NULL: none.
    // The recording begins: inside the first allocation, before the C library is initialised.
    void (*start)(struct gp_thread *thread, const char *options);
    // The C library is ready; the program's own code has not run.
    void (*prepare)(struct gp_thread *thread, const char *options);
    // The calling thread begins to run, or its destructors have run.
    void (*thread_begins)(void);
    void (*thread_ends)(void);
    // The recording is about to end: takes no more events where they would falsify what comes.
    void (*finish)(struct gp_thread *thread);
    // The heap as it is at the end of the recording.
    void (*snapshot)(struct gp_thread *thread, const char *name);
    // Nothing is recorded any more: writes what it has kept. False: some of it could not be stored.
    bool (*flush)(struct gp_thread *thread);
} gp_instrument;
