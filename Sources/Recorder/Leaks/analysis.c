#include "analysis.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "expectations.h"
#include "read_clock.h"
#include "system.h"
#include "TraceFormat.h"
#include "images.h"
#include "live_table.h"
#include "exited_main_stack.h"
#include "runtime_message.h"
#include "roots.h"
#include "search_service.h"
#include "system_frames.h"
#include "trace_writer.h"

enum { EXPECTED_MAX = 16, PAUSE_LOOK_NS = 50000 };

typedef struct {
    gp_analysis *input;
    gp_memory_map map;
    gp_roots roots;
    gp_heap_totals totals;
    uint64_t unreachable, unreachable_bytes, listed;
    const char *failure;
} state;

void gp_analysis_write_begin(const gp_analysis *input) {
    gp_heap_begin record = {.header = {.kind = GP_HEAP_BEGIN, .flags = input->flags},
                            .snapshot = input->snapshot,
                            .threads = input->threads.stopped + 1,
                            .threads_missed = input->threads.missed,
                            .stack = input->stack,
                            .time_ns = input->time_ns,
                            .pause_ns = atomic_load(&input->page->pause_ns),
                            .exited_main_stack = gp_exited_main_stack_id()};
    gp_write_record(input->thread, &record, sizeof record, input->name, input->name ? strlen(input->name) : 0);
}

// -------------------------------------------------------------------------------------------------- what is asked for

// What the program expected to be gone and still lives is asked for too, what escaped from its deinit, and what was used dead.
static void ask_for_expected(state *s) {
    enum { LABEL_LONGEST = 320, FILE_LONGEST = 255 };
    static gp_expected unmet[EXPECTED_MAX];
    static gp_path_target objects[EXPECTED_MAX + 2];
    static char labels[EXPECTED_MAX][LABEL_LONGEST];
    const size_t found = gp_expectations_unmet(unmet, EXPECTED_MAX, s->input->time_ns, s->input->caller.id);
    size_t count = found < EXPECTED_MAX ? found : EXPECTED_MAX;
    for (size_t i = 0; i < count; i++) {
        snprintf(labels[i], LABEL_LONGEST, "expected %.*s:%u", FILE_LONGEST, unmet[i].file, unmet[i].line);
        objects[i] = (gp_path_target){unmet[i].hidden, labels[i], GP_TARGET_ADDRESS};
    }
    if (gp_runtime_message_escaped())
        objects[count++] = (gp_path_target){.hidden = ~gp_runtime_message_escaped(), .cause = GP_TARGET_ESCAPED};
    const uintptr_t dead = gp_live_used_dead ? gp_live_used_dead(false) : 0;
    if (dead)
        objects[count++] = (gp_path_target){.hidden = dead, .cause = GP_TARGET_DEAD};
    s->input->request.objects = objects;
    s->input->request.object_count = count;
}

static void find_roots(state *s) {
    s->roots = (gp_roots){
        .map = &s->map, .threads = &s->input->threads, .caller = &s->input->caller, .process = s->input->process};
    static gp_system_frames frames;
    gp_system_frames_find(s->roots.caller, &frames);
    s->roots.system_frames = &frames;
    for (uint32_t i = 0; i < s->input->threads.count; i++)
        if (gp_thread_was_stopped(&s->input->threads.threads[i]))
            gp_stale_registers_forget(&s->input->threads.threads[i]);
}

// -------------------------------------------------------------------------------------------------------- the search

// In the tool, which reads this process, or by whoever reads the trace.
static void let_search(state *s) {
    static gp_search_service_outcome outcome;
    const gp_analysis *input = s->input;
    const gp_heap_facts facts = {.name = input->name,
                                 .trigger = input->flags,
                                 .totals = &s->totals,
                                 .roots = &s->roots,
                                 .request = &input->request,
                                 .seeks = (input->writes_graph ? GP_SEARCH_SEEKS_GRAPH : 0) |
                                          (input->seeks_abandoned ? GP_SEARCH_SEEKS_SMALL_GRAPH : 0) |
                                          (input->seeks_paths_alone ? GP_SEARCH_SEEKS_PATHS_ALONE : 0) |
                                          (s->failure ? GP_SEARCH_SEEKS_COUNTS_ALONE : 0)};
    const gp_search_stream stream = {.thread = input->thread, .progress = &input->page->progress};
    const gp_search_service service = {.stream = stream, .facts = &facts, .outcome = &outcome};
    if (!input->searcher || !gp_search_serve(&service, input->searcher)) {
        const char *const failure = gp_heap_image_write(&facts, &stream);
        s->failure = s->failure ? s->failure : failure;
        return;
    }
    if (!s->failure && !outcome.is_known)
        s->failure = outcome.failure;
    s->unreachable = outcome.result.unreachable;
    s->unreachable_bytes = outcome.result.unreachable_bytes;
    s->listed = outcome.result.listed;
    input->page->lost = (gp_lost){.known = !s->failure,
                                  .blocks = outcome.result.lost_blocks,
                                  .digest = outcome.result.lost_digest,
                                  .hidden = outcome.result.hidden};
}

void gp_analysis_run(gp_analysis *analysis) {
    uint64_t start = gp_now_ns();
    state s = {.input = analysis, .roots.process = analysis->process};
    gp_fault_guard_prepare();
    gp_images_set_complete(true);
    gp_kernel_texts_read(analysis->memory, analysis->process);
    // This process has free descriptors.
    if (analysis->obstacle && gp_threads_are_all(&analysis->threads, analysis->process, analysis->caller.id))
        analysis->obstacle = NULL;
    if (gp_live_disguise)
        gp_live_disguise();
    if (gp_live_used_dead)
        gp_live_used_dead(true);
    if ((s.failure = analysis->obstacle))
        ;
    else if (!gp_memory_map_read(&s.map))
        s.failure = "the process's mappings could not be read";
    else if (analysis->threads.missed)
        s.failure = "not every thread stopped in time";
    else
        find_roots(&s);
    gp_write_begin_in_child(analysis->thread);
    while (!atomic_load(&analysis->page->pause_ns))
        gp_sleep(PAUSE_LOOK_NS);
    gp_analysis_write_begin(analysis);
    gp_expectations_write(analysis->thread, analysis->time_ns, analysis->caller.id);
    atomic_fetch_add(&analysis->page->progress, 1);
    ask_for_expected(&s);
    let_search(&s);
    gp_heap_end record = {.header = {.kind = GP_HEAP_END, .flags = s.failure != NULL},
                          .snapshot = analysis->snapshot,
                          .blocks = s.totals.blocks,
                          .bytes = s.totals.bytes,
                          .swift_objects = s.totals.swift_objects,
                          .unreachable_blocks = s.unreachable,
                          .unreachable_bytes = s.unreachable_bytes,
                          .listed_objects = s.listed,
                          .analysis_ns = gp_now_ns() - start};
    gp_write_record(analysis->thread, &record, sizeof record, s.failure, s.failure ? strlen(s.failure) : 0);
    gp_write_end_in_child(analysis->thread);
}
