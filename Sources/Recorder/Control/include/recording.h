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
    return gp_recording_now() == GP_RECORDING_UNKNOWN && gp_recording_decide();
}

// Begins a recording as these variables of the recorder ask for it, NAME=value each and a NULL behind the last. They stay as long as
// it lasts. Again and again, each after the end of the one before. NULL, or why not, as a sentence.
const char *gp_recording_wake(char *const *variables);

enum { GP_STATUS_UNKNOWN = -1000 };

// Ends the recording before the process ends: takes the snapshot, writes what is in memory, marks the trace finished.
// Once; a second thread that comes waits until the first is done. `status`: exit code (0 to 255), or minus the number of the
// signal that ends the process, or GP_STATUS_UNKNOWN. `ends_by_exec`: another program is about to take this one's place: no
// snapshot, since the memory that is left goes back as a whole. Nothing in a child of the recorded process.
void gp_recording_finish(int status, bool ends_by_exec);

// As gp_snapshot of CRecorderInterface.h, of a heap whose live bytes were never so high.
bool gp_recording_snapshot_at_peak(void);

// A thread of the recorder's own that takes heap snapshots while the program runs: every so often, when the tool
// asks for one, and when live bytes have grown by a quarter; it sends a memory warning when it is time. It blocks every
// signal but the recorder's own, so that none of the program's ends up with it.

// `options`: of GAMEPROF_SNAPSHOTS, "every=MILLISECONDS;peak;warning=MILLISECONDS;requests=FIFO", each part may be missing;
// NULL: no thread is made. Bytes that arrive in the FIFO are requests (Control.h). `searches`: the heap can be searched, else
// it only warns. When the C library is ready.
void gp_snapshot_thread_start(const char *options, bool searches);

// Makes it where there is none yet, so that the process ends with the last thread of the program in spite of hidden ones.
void gp_snapshot_thread_watch_the_others(void);

// From now on it takes none; waits until one that is being taken is done. Before the last snapshot.
void gp_snapshot_thread_stop(void);

// In a child made by fork, which has no such thread.
void gp_snapshot_thread_begin_in_child(void);

// Called now and then by a thread of the recorder's: ends the process when it is the last one.
void gp_end_with_the_others(void);

// Whether children made by fork can be recorded, where that is asked for.
bool gp_recording_suits_forks(void);

// The process is about to be forked. The instruments that the child records, GP_INSTRUMENT_*; 0: it is not recorded.
uint32_t gp_recording_before_fork(void);

// In the child: begins a recording of its own with the blocks that live. False: that could not be.
bool gp_recording_begin_in_child(uint32_t instruments);

struct gp_thread;

// Writes what it was asked for and did not come to.
void gp_snapshot_thread_explain(struct gp_thread *thread);
