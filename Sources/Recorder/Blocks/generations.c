#include "generations.h"

#include <stdatomic.h>
#include <string.h>

#include "CRecorderInterface.h"
#include "arch.h"
#include "TraceFormat.h"
#include "live_entry.h"
#include "recording_state.h"
#include "thread.h"
#include "trace_writer.h"

static _Atomic uint32_t count;

void gp_generations_keep(void) {
    __atomic_fetch_or(&gp_live_age, GP_AGE_COUNTS, __ATOMIC_SEQ_CST);
}

static bool begin(gp_thread *thread, const char *name) {
    uint32_t known = atomic_load(&count);
    do {
        if (known == GP_GENERATIONS_MOST)
            return false;
    } while (!atomic_compare_exchange_weak(&count, &known, known + 1));
    gp_mark_record record = {.header.kind = GP_MARK, .time_ns = gp_now_ns(), .generation = known + 1};
    // What the thread allocated before stands before the mark, whatever the coarse clock of its events says.
    gp_time moment = {.kind = GP_TIME, .ns = record.time_ns};
    gp_write_cell(thread, &moment);
    uint32_t age = __atomic_load_n(&gp_live_age, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&gp_live_age, &age,
                                        (age & (GP_AGE_COUNTED | GP_AGE_LISTED)) | GP_AGE_COUNTS | (known + 1), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    gp_write_record(thread, &record, sizeof record, name, name ? strlen(name) : 0);
    return true;
}

bool gp_mark(const char *name) {
    gp_thread *thread = gp_recording_runs() ? gp_thread_enter() : NULL;
    if (!thread)
        return false;
    bool begun = begin(thread, name);
    gp_thread_leave(thread);
    return begun;
}

uint32_t gp_generation_count(void) {
    return atomic_load(&count);
}

uint32_t gp_generation_of(uintptr_t address) {
    const gp_live_region *region = gp_live_region_of(address);
    return region ? region->ages[gp_live_index(address)] & GP_AGE_GENERATION : 0;
}
