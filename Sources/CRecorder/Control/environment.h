// The variables that ask for a recording. They are taken away again, so that the program and its children see the
// environment that they would have without the recorder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "instruments.h"

typedef struct {
    char path[4096];  // of the trace; empty: nothing is asked for
    uint32_t instruments;  // GP_INSTRUMENT_*
    const char *refusal;  // why it is not recorded although it is asked for, as a sentence; NULL: it is
    bool is_successor;  // of a recorded program
    const char *snapshots;  // GAMEPROF_SNAPSHOTS: when to take heap snapshots before the end, NULL: never
    const char *options[GP_INSTRUMENT_COUNT];  // of each instrument, NULL: none
    const char *sample;  // GAMEPROF_SAMPLE: mean bytes between two sampled blocks, NULL: every block is recorded
    const char *max_size;  // GAMEPROF_MAX_TRACE_SIZE: how large the trace may become, NULL: the default
} gp_request;

// Reads GAMEPROF_TRACE and GAMEPROF_INSTRUMENTS, or for a linked recorder GAMEPROF and GAMEPROF_OUTPUT. If they ask for a
// recording, removes the variables of the recorder and this library's entry of LD_PRELOAD and keeps them for a successor
// (exec_environment.h). Works before the C library is initialised.
gp_request gp_environment_take(void);
