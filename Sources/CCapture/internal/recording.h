// Whether this process records. The word lies in a page that the kernel wipes in every child made by fork, so that a
// child stops recording however it was made.
#ifndef GP_RECORDING_H
#define GP_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "slow_path.h"

typedef enum {
    GP_RECORDING_UNKNOWN = 0,  // not yet asked for, or a child of the recorded process
    GP_RECORDING_ON = 1,
    GP_RECORDING_OFF = 2,
    GP_RECORDING_WITHOUT_BLOCKS = 3,  // on, but no instrument asks for allocations
    GP_RECORDING_RUNS = 1,  // the bit that both have: probes look at it
} gp_recording_state;

typedef struct {
    volatile uint32_t state;
    uint32_t process;  // that records, 0: not known here
} __attribute__((aligned(4096))) gp_recording_page;

extern __attribute__((visibility("hidden"))) gp_recording_page gp_recording;

// Decides at the first allocation of the process, from its environment, whether to record. Then answers at once.
GP_SLOW_PATH bool gp_recording_decide(void);

// True while allocations are recorded.
static inline bool gp_recording_is_on(void) {
    uint32_t state = gp_recording.state;
    if (__builtin_expect(state == GP_RECORDING_ON, 1))
        return true;
    return state == GP_RECORDING_UNKNOWN && gp_recording_decide();
}

static inline bool gp_recording_state_runs(uint32_t state) {
    return state & GP_RECORDING_RUNS;
}

// True while anything is recorded. Async-signal-safe: decides nothing.
static inline bool gp_recording_runs(void) {
    return gp_recording_state_runs(gp_recording.state);
}

// Ends the recording before the process ends: takes the snapshot, writes what is in memory, marks the trace finished.
// Once; a second thread that comes waits until the first is done. `status`: exit code, −1: not known.
void gp_recording_finish(int status);

// What gp_start, gp_stop and gp_snapshot of CCapture.h promise, for this copy of the recorder.
const char *gp_recording_start(const char *path, uint32_t instruments);
void gp_recording_stop(void);
bool gp_recording_snapshot(const char *name);

// Ends the recording because another program is about to take this one's place: without a heap snapshot, since the
// memory that is left goes back as a whole. Nothing in a child of the recorded process.
void gp_recording_finish_for_exec(void);

#endif
