#include "recorder.h"

#include <dlfcn.h>
#include <stdatomic.h>

#include "recording.h"

static const gp_recorder own = GP_RECORDER_OF_THIS_COPY;

#ifdef GP_PRELOADED
bool gp_recorder_is_preloaded(void) {
    return false;
}

const gp_recorder *gp_recorder_here(void) {
    return &own;
}
#else
static _Atomic(const gp_recorder *) preloaded;
static _Atomic bool looked;

static const gp_recorder *find(void) {
    if (!atomic_load_explicit(&looked, memory_order_acquire)) {
        atomic_store(&preloaded, dlsym(RTLD_DEFAULT, "gp_preloaded_recorder"));
        atomic_store_explicit(&looked, true, memory_order_release);
    }
    return atomic_load_explicit(&preloaded, memory_order_relaxed);
}

bool gp_recorder_is_preloaded(void) {
    return find() != NULL;
}

const gp_recorder *gp_recorder_here(void) {
    const gp_recorder *other = find();
    return other && other->version == GP_RECORDER_VERSION ? other : &own;
}
#endif

const char *gp_start(const char *path, uint32_t instruments) {
    return gp_recorder_here()->start(path, instruments);
}

void gp_stop(void) {
    gp_recorder_here()->stop();
}

bool gp_is_recording(void) {
    return gp_recording_state_runs(*gp_recorder_here()->state);
}

bool gp_snapshot(const char *name) {
    return gp_recorder_here()->snapshot(name);
}

uint64_t gp_counter_begin(uint64_t (*here)(void)) {
    return gp_recorder_here()->counter_begin(here);
}

size_t gp_counter_end(uint64_t tally, gp_counter_row *rows, size_t capacity, uint64_t *omitted) {
    return gp_recorder_here()->counter_end(tally, rows, capacity, omitted);
}

gp_lost gp_last_lost(void) {
    return gp_recorder_here()->last_lost();
}

uint64_t gp_figures_mean(void) {
    return gp_recorder_here()->sampling_mean();
}

gp_sample_sum gp_figures_made(void) {
    return gp_recorder_here()->made();
}

bool gp_figures_collect(gp_figure_visitor visit, void *context) {
    return gp_recorder_here()->collect(visit, context);
}

size_t gp_figures_stack(uint32_t stack, gp_figure_frame *frames, size_t capacity) {
    return gp_recorder_here()->stack(stack, frames, capacity);
}

int gp_figures_type_name(uint32_t type, char *name, size_t capacity) {
    return gp_recorder_here()->type_name(type, name, capacity);
}

uint64_t gp_figures_cpu_period(void) {
    return gp_recorder_here()->cpu_period();
}

bool gp_figures_cpu_begin(void) {
    return gp_recorder_here()->cpu_begin();
}

void gp_figures_cpu_end(void (*visit)(uint32_t stack, uint64_t samples, void *context), void *context) {
    gp_recorder_here()->cpu_end(visit, context);
}
