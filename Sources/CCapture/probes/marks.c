#include "../recorder/generations.h"
#include "probe_calls.h"
#include "recording.h"
#include "thread.h"

bool gp_probes_mark(const char *name) {
    gp_thread *thread = gp_recording_runs() ? gp_thread_current() : NULL;
    if (!thread || thread->busy)
        return false;
    thread->busy = true;
    bool begun = gp_generation_begin(thread, name);
    thread->busy = false;
    return begun;
}
