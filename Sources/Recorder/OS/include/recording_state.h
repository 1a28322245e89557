// Whether this process records. The word lies in a page that the kernel wipes in every child made by fork, so that a
// child stops recording however it was made. One that is followed begins anew (gp_recording_begin_in_child).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"

typedef enum {
    GP_RECORDING_UNKNOWN = 0,  // not yet asked for, or a child of the recorded process
    GP_RECORDING_ON = 1,
    GP_RECORDING_OFF = 2,
    GP_RECORDING_WITHOUT_BLOCKS = 3,  // on, but no instrument asks for allocations
    GP_RECORDING_RUNS = 1,  // the bit that both have: probes look at it
} gp_recording_state;

typedef struct {
    volatile uint32_t state;  // read by gp_recording_now
    uint32_t process;  // that records, 0: not known here
    uint32_t instruments;  // GP_INSTRUMENT_*: what is recorded
} __attribute__((aligned(GP_PAGE_MOST))) gp_recording_page;

extern __attribute__((visibility("hidden"))) gp_recording_page gp_recording;

// Nothing is recorded until somebody asks for it while the program runs (dormant.c). Also in a child made by fork.
extern __attribute__((visibility("hidden"))) bool gp_recording_is_dormant;

// Acquires what was made ready before: a thread that finds the recording on must not find the spool or the options as they
// were before it.
static inline uint32_t gp_recording_now(void) {
    return GP_LOAD_IN_ORDER(gp_recording.state);
}

static inline void gp_recording_set(gp_recording_state state) {
    __atomic_store_n(&gp_recording.state, state, __ATOMIC_RELEASE);
}

// True while allocations are recorded. Decides nothing: before the first allocation it is false.
static inline bool gp_recording_is_on(void) {
    return __builtin_expect(gp_recording_now() == GP_RECORDING_ON, 1);
}

static inline bool gp_recording_state_runs(uint32_t state) {
    return state & GP_RECORDING_RUNS;
}

// True while anything is recorded. Async-signal-safe.
static inline bool gp_recording_runs(void) {
    return gp_recording_state_runs(gp_recording_now());
}
