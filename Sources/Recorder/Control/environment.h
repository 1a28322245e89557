// The variables that ask for a recording. They are taken away again, so that the program and its children see the
// environment that they would have without the recorder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "instruments.h"

typedef struct {
    char path[4096];  // of the trace; empty: nothing is asked for
    uint32_t instruments;  // GP_INSTRUMENT_*
    bool is_dormant;  // nothing is asked for before gameprof attach does
    bool is_of_tool;  // gameprof started the program
    const char *refusal;  // why it is not recorded although it is asked for, as a sentence; NULL: it is
    bool is_successor;  // of a recorded program
    const char *snapshots;  // GAMEPROF_SNAPSHOTS: when to take heap snapshots before the end, NULL: never
    const char *options[GP_INSTRUMENT_COUNT];  // of each instrument, NULL: none
    const char *max_size;  // GAMEPROF_MAX_TRACE_SIZE: how large the trace may become, NULL: the default
} gp_request;

// Reads GAMEPROF_TRACE and GAMEPROF_INSTRUMENTS, or for a linked recorder GAMEPROF and GAMEPROF_OUTPUT. If they ask for a
// recording, removes the variables of the recorder and the library's entry of LD_PRELOAD and keeps them for a successor
// (exec_environment.h). Where the program links a recorder and another is preloaded, the linked one is called first: it takes
// what is asked for, and the other finds nothing. Works before the C library is initialised.
gp_request gp_environment_take(void);

// The same of variables that are given, which stay as they are.
gp_request gp_environment_of(char *const *variables);

// Traces that must not be written over: a linked recorder's path stands in the environment, which the program's children
// and the program that it becomes by exec see as well.

// Whether a process records into `path` at this moment.
bool gp_trace_is_being_written(const char *path);

// Whether that is so, or this process recorded into `path` before it became this program.
bool gp_trace_is_taken(const char *path);
