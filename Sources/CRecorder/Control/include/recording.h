// The beginning and the end of a recording.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "recording_state.h"
#include "slow_path.h"

// Decides at the first allocation of the process, from its environment, whether to record. Then answers at once.
GP_SLOW_PATH bool gp_recording_decide(void);

// True while allocations are recorded; the process's first allocation decides. For the allocator's entry points.
static inline bool gp_recording_decided_on(void) {
    if (gp_recording_is_on())
        return true;
    return gp_recording.state == GP_RECORDING_UNKNOWN && gp_recording_decide();
}

// Ends the recording before the process ends: takes the snapshot, writes what is in memory, marks the trace finished.
// Once; a second thread that comes waits until the first is done. `status`: exit code, −1: not known.
void gp_recording_finish(int status);

// What gp_start, gp_stop and gp_snapshot of CCapture.h promise, for this copy of the recorder.
const char *gp_recording_start(const char *path, uint32_t instruments);
void gp_recording_stop(void);
bool gp_recording_snapshot(const char *name);

// The same, of a heap whose live bytes were never so high.
bool gp_recording_snapshot_at_peak(void);

// Ends the recording because another program is about to take this one's place: without a heap snapshot, since the
// memory that is left goes back as a whole. Nothing in a child of the recorded process.
void gp_recording_finish_for_exec(void);
