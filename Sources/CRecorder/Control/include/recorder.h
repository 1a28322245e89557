// A recorder as the rest of its process sees it. A program may have two copies of it: one that it links and one that is
// preloaded. Then the preloaded one records, and the linked one passes on to it what the program says.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CCapture.h"
#include "heap.h"
#include "cpu_tally.h"
#include "expectations.h"
#include "generations.h"
#include "probe_calls.h"
#include "recording.h"
#include "sampled_figures.h"
#include "scoped_counters.h"
#include "stack_frames.h"
#include "swift_types.h"

// Counted up whenever gp_recorder, gp_probe_buffer or the cells of probes change.
#define GP_RECORDER_VERSION 4u

typedef struct {
    uint32_t version;  // GP_RECORDER_VERSION
    const volatile uint32_t *state;  // GP_RECORDING_*
    const char *(*start)(const char *path, uint32_t instruments);
    void (*stop)(void);
    bool (*snapshot)(const char *name);
    bool (*reads_tsc)(void);
    gp_probe *(*probe_room)(gp_probe_thread *here, const uint8_t *name, size_t length, uint32_t cells);
    uint64_t (*ticks_in)(uint64_t nanoseconds);
    const uint8_t *(*probe_intern)(const uint8_t *text, size_t length);
    void (*log)(const char *file, uint32_t line, const char *message, size_t length);
    bool (*mark)(const char *name);
    bool (*expect)(const void *object, const char *file, uint32_t line);
    size_t (*unmet)(gp_unmet_expectation *list, size_t capacity);
    gp_lost (*last_lost)(void);
    uint64_t (*counter_begin)(uint64_t (*here)(void));
    size_t (*counter_end)(uint64_t tally, gp_counter_row *rows, size_t capacity, uint64_t *omitted);
    uint64_t (*sampling_mean)(void);
    gp_sample_sum (*made)(void);
    bool (*collect)(gp_figure_visitor visit, void *context);
    size_t (*stack)(uint32_t stack, gp_figure_frame *frames, size_t capacity);
    int (*type_name)(uint32_t type, char *name, size_t capacity);
    uint64_t (*cpu_period)(void);
    bool (*cpu_begin)(void);
    void (*cpu_end)(void (*visit)(uint32_t stack, uint64_t samples, void *context), void *context);
} gp_recorder;

#define GP_RECORDER_OF_THIS_COPY                                                                                       \
    {                                                                                                                  \
        .version = GP_RECORDER_VERSION, .state = &gp_recording.state, .start = gp_recording_start,                     \
        .stop = gp_recording_stop, .snapshot = gp_recording_snapshot, .reads_tsc = gp_probes_read_tsc,                 \
        .probe_room = gp_probes_room, .ticks_in = gp_probes_ticks_in, .probe_intern = gp_probes_intern,                \
        .log = gp_probes_log, .mark = gp_generation_mark, .expect = gp_expectation_add, .unmet = gp_expectations_list, \
        .last_lost = gp_heap_last_lost, .counter_begin = gp_counters_begin, .counter_end = gp_counters_end,            \
        .sampling_mean = gp_sampled_figures_mean, .made = gp_sampled_figures_made,                                     \
        .collect = gp_sampled_figures_collect, .stack = gp_stack_frames_of, .type_name = gp_type_kept_name,            \
        .cpu_period = gp_cpu_tally_period, .cpu_begin = gp_cpu_tally_begin, .cpu_end = gp_cpu_tally_end,               \
    }

// The one that records in this process, if any does: the preloaded one where there is one of this version, else this
// copy. The first call asks the dynamic linker.
const gp_recorder *gp_recorder_here(void);

// Whether another copy of the recorder is preloaded into this process: then this one must not record.
bool gp_recorder_is_preloaded(void);
