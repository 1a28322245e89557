#include "analysis.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "expectations.h"
#include "read_clock.h"
#include "system.h"
#include "TraceFormat.h"
#include "block_index.h"
#include "block_sampling.h"
#include "count_rows.h"
#include "analysis_steps.h"
#include "footprint.h"
#include "images.h"
#include "exited_main_stack.h"
#include "live_table.h"
#include "mark.h"
#include "object_kind.h"
#include "references.h"
#include "root_paths.h"
#include "runtime_message.h"
#include "roots.h"
#include "search_service.h"
#include "stale_words.h"
#include "trace_writer.h"

enum {
    LISTED_MAX = 1000000,
    CLOSURE_MAX = 4000000,
    EXPECTED_MAX = 16,
    GROWING_BLOCKS_MAX = 1000000,
    SMALL_GRAPH_BLOCKS = 100000,
    PAUSE_LOOK_NS = 50000,
    BYTES_OF_BLOCK = 32  // of all tables together, for most heaps
};

typedef struct {
    gp_analysis *input;
    gp_memory_map map;
    gp_block_index index;
    gp_marker marker;
    gp_roots roots;
    gp_object_graph counted;  // objects that a word without a type names, and what they own
    bool *proved_component;
    bool *by_pointer_component;  // proved, and that a pointer without a count names
    uint64_t *running;
    uint64_t *proved;  // by block
    const uint64_t *held_by_pointer;  // by block: listed members of components held by a pointer
    gp_object_graph led_to;  // what closures and tasks lead to
    gp_object_graph listed;
    gp_root_paths paths;
    uint64_t unreachable, unreachable_bytes;
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

// ------------------------------------------------------------------------------------------------ count closure

// What other threads hold directly. They stopped anywhere: in the middle of an initializer, whose object still shows
// references of the block's last owner, or in the middle of a move.
static uint64_t *find_running(const state *s) {
    gp_marker running;
    if (!gp_mark_prepare_like(&running, &s->marker))
        return NULL;
    gp_roots_mark_other_threads(&s->roots, &running);
    return running.marked;
}

// All that own a member of a proved component are members. So an object with a retain that no marked object's reference
// explains is none; and the member that marking came to first was named by a word without a type.
static bool add_conservative_object(uint32_t block, uintptr_t start, void *context) {
    state *s = context;
    if (!gp_set_has(s->marker.conservative, block) || gp_object_kind_at(start, gp_block_usable(start))->kind < 0)
        return true;
    uint8_t owners = s->marker.owners[block];
    if (owners == UINT8_MAX || gp_reference_counts_of(start).strong <= owners)
        gp_graph_add(&s->counted, block, start);
    return true;
}

// Components that a running thread shows and whose counts prove otherwise that nobody holds them: the thread may be moving
// a reference, or its stack be stale. Another look decides.
static void count_hidden(state *s, uint32_t *incoming) {
    bool *proven = gp_system_pages(s->counted.components + 1ul);
    if (!proven)
        return;
    gp_count_closure(&s->counted, NULL, proven, incoming);
    for (uint32_t c = 1; c <= s->counted.components; c++)
        s->input->page->lost.hidden += proven[c] && !s->proved_component[c];
}

static bool find_proved(state *s) {
    if (!gp_graph_prepare(&s->counted, &s->index))
        return false;
    gp_index_each(&s->index, add_conservative_object, s);
    gp_graph_connect(&s->counted, GP_EDGES_COUNTED, CLOSURE_MAX);
    gp_graph_components(&s->counted);
    s->running = find_running(s);
    uint32_t *incoming = gp_system_pages(((size_t)s->counted.count + 1) * sizeof *incoming);
    s->proved_component = gp_system_pages(s->counted.components + 1ul);
    s->by_pointer_component = gp_system_pages(s->counted.components + 1ul);
    s->proved = gp_set_new(s->index.count);
    if (s->counted.failed || !s->running || !incoming || !s->proved_component || !s->by_pointer_component || !s->proved)
        return false;
    gp_count_closure(&s->counted, s->running, s->proved_component, incoming);
    count_hidden(s, incoming);
    bool any = false;
    for (uint32_t v = 0; v < s->counted.count; v++)
        if (s->proved_component[s->counted.component[v]])
            any |= gp_set_add(s->proved, s->counted.block[v]);
    return any;
}

// ----------------------------------------------------------------------------------------------------- listing

static bool count_unreachable(uint32_t block, uintptr_t start, void *context) {
    state *s = context;
    if (gp_set_has(s->marker.marked, block))
        return true;
    s->unreachable++;
    s->unreachable_bytes += gp_object_extent(&s->index, start, gp_block_usable(start), gp_kind_of(start));
    gp_block known;
    if (gp_live_get(start, &known) && (known.stack || gp_sampling_mean)) {
        s->input->page->lost.blocks++;
        s->input->page->lost.digest += (start ^ start >> 20) * 0x9e3779b97f4a7c15ull;
    }
    return true;
}

static bool list_unreachable(uint32_t block, uintptr_t start, void *context) {
    state *s = context;
    if (!gp_set_has(s->marker.marked, block))
        gp_graph_add(&s->listed, block, start);
    return true;
}

static bool list_lost(state *s) {
    if (!gp_graph_prepare(&s->listed, &s->index))
        return false;
    s->listed.progress = &s->input->page->progress;
    if (s->input->seeks_paths_alone)
        return true;
    gp_index_each(&s->index, count_unreachable, s);
    gp_lost_blocks lost = {s->input->thread, &s->index, s->marker.marked, s->listed.progress};
    if (s->unreachable > LISTED_MAX)
        return gp_lost_sample(&lost, &s->listed);
    gp_index_each(&s->index, list_unreachable, s);
    return true;
}

// Living cycles; whether one of them may be kept alive by nothing but its own code.
static bool list_cycles(state *s) {
    s->paths.members = gp_set_new(s->index.count);
    uint64_t *held_by_pointer = gp_set_new(s->index.count);
    if (!s->running || !s->paths.members || !held_by_pointer)
        return false;
    gp_living_cycles cycles = {.marked = s->marker.marked,
                               .running = s->running,
                               .listed = &s->listed,
                               .members = s->paths.members,
                               .held_by_pointer = held_by_pointer};
    if (!s->counted.failed)
        gp_living_cycles_list(&cycles, &s->counted, s->proved_component, s->by_pointer_component);
    if (gp_living_cycles_find(&s->led_to, &s->index, s->marker.marked))
        gp_living_cycles_list(&cycles, &s->led_to, NULL, NULL);
    s->held_by_pointer = cycles.held_by_pointer;
    return cycles.has_paths;
}

// What the program expected to be gone and still lives is asked for too, and what escaped from its deinit.
static void ask_for_expected(state *s) {
    enum { LABEL_LONGEST = 320, FILE_LONGEST = 255 };
    static gp_expected unmet[EXPECTED_MAX];
    static gp_path_target objects[EXPECTED_MAX + 1];
    static char labels[EXPECTED_MAX][LABEL_LONGEST];
    const size_t found = gp_expectations_unmet(unmet, EXPECTED_MAX, s->input->time_ns, s->input->caller.id);
    size_t count = found < EXPECTED_MAX ? found : EXPECTED_MAX;
    for (size_t i = 0; i < count; i++) {
        snprintf(labels[i], LABEL_LONGEST, "expected %.*s:%u", FILE_LONGEST, unmet[i].file, unmet[i].line);
        objects[i] = (gp_path_target){unmet[i].hidden, labels[i], GP_TARGET_ADDRESS};
    }
    if (gp_runtime_message_escaped())
        objects[count++] = (gp_path_target){.hidden = ~gp_runtime_message_escaped(), .cause = GP_TARGET_ESCAPED};
    s->input->request.objects = objects;
    s->input->request.object_count = count;
}

// At exit what only may grow is not worth a walk over a very large heap.
static void ask_for_growing(state *s) {
    gp_path_request *request = &s->input->request;
    request->growing = gp_growth_rows(&request->growing_count);
    if (s->input->flags == GP_HEAP_AT_EXIT && s->index.count > GROWING_BLOCKS_MAX)
        request->growing_count = 0;
}

static void list_findings(state *s) {
    if (s->failure)
        return;
    if (!list_lost(s)) {
        s->failure = "there was no memory for the list of lost objects";
        return;
    }
    s->paths = (gp_root_paths){
        .roots = &s->roots, .marked = s->marker.marked, .proved = s->proved, .progress = &s->input->page->progress};
    const bool cycles = !s->input->seeks_paths_alone && list_cycles(s);
    if (cycles || gp_paths_are_asked(&s->input->request))
        gp_paths_list(&s->paths, &s->input->request, s->input->thread, &s->listed);
    gp_graph_connect(&s->listed, GP_EDGES_OWNING, UINT32_MAX);
    gp_graph_components(&s->listed);
    if (s->listed.failed) {
        s->failure = "there was no memory for the references between lost objects";
        return;
    }
    gp_findings findings = {&s->listed, s->marker.marked, s->proved, s->held_by_pointer, &s->input->page->progress};
    gp_findings_write(s->input->thread, &findings);
    gp_paths_write(&s->paths, s->input->thread, &s->listed);
}

static bool is_graph_wanted(const state *s) {
    if (s->input->writes_graph || !s->input->seeks_abandoned)
        return s->input->writes_graph;
    return s->index.count <= SMALL_GRAPH_BLOCKS || gp_closures_hold_growing(&s->paths);
}

static void write_graph(state *s) {
    const gp_heap_graph graph = {
        .index = &s->index, .roots = &s->roots, .marked = s->marker.marked, .progress = &s->input->page->progress};
    // A search for leaks does without it.
    if (!gp_heap_graph_write(s->input->thread, &graph) && s->input->writes_graph)
        s->failure = "there was no memory for the graph of the heap";
}

static void write_footprint(const state *s) {
    const gp_footprint footprint = {.thread = s->input->thread,
                                    .map = &s->map,
                                    .index = &s->index,
                                    .roots = &s->roots,
                                    .memory = s->input->memory,
                                    .progress = &s->input->page->progress};
    gp_footprint_write(&footprint);
}

// A proved component that a pointer of C memory names is in use; another is lost, whatever names it.
static void mark_around_proved(state *s) {
    gp_mark_restart(&s->marker, s->proved);
    gp_stale_blocks_mark(&s->roots, s->marker.marked);
    gp_untyped_holders holders = {.graph = &s->counted,
                                  .roots = &s->roots,
                                  .marker = &s->marker,
                                  .proved = s->proved,
                                  .proved_component = s->proved_component,
                                  .by_pointer_component = s->by_pointer_component};
    if (!gp_untyped_holders_mark(&holders))
        s->failure = "there was no memory for the holders of the cycles";
}

static void find_roots(state *s) {
    s->roots = (gp_roots){.map = &s->map,
                          .index = &s->index,
                          .threads = &s->input->threads,
                          .caller = &s->input->caller,
                          .process = s->input->process};
    gp_stale_words_find(&s->roots);
}

static void mark(state *s) {
    if (!gp_mark_prepare(&s->marker, &s->index)) {
        s->failure = "there was no memory for the index of live blocks";
        return;
    }
    s->marker.progress = &s->input->page->progress;
    gp_stale_blocks_mark(&s->roots, s->marker.marked);
    gp_roots_mark(&s->roots, &s->marker);
    if (find_proved(s))
        mark_around_proved(s);
    gp_unaligned_references_mark(&s->roots, &s->marker);
}

// -------------------------------------------------------------------------------------------------------- the search

static void ask(state *s) {
    ask_for_expected(s);
    if (!s->input->seeks_paths_alone)
        ask_for_growing(s);
}

// In the tool, which reads this process. False: there is none.
static bool search_outside(state *s) {
    static gp_search_service_outcome outcome;
    const gp_analysis *input = s->input;
    const gp_search_service service = {.thread = input->thread,
                                       .roots = &s->roots,
                                       .request = &input->request,
                                       .seeks = (input->writes_graph ? GP_SEARCH_SEEKS_GRAPH : 0) |
                                                (input->seeks_abandoned ? GP_SEARCH_SEEKS_SMALL_GRAPH : 0) |
                                                (input->seeks_paths_alone ? GP_SEARCH_SEEKS_PATHS_ALONE : 0),
                                       .progress = &input->page->progress,
                                       .outcome = &outcome};
    if (!input->searcher || !gp_search_serve(&service, input->searcher))
        return false;
    s->failure = outcome.is_known ? NULL : outcome.failure;
    s->unreachable = outcome.result.unreachable;
    s->unreachable_bytes = outcome.result.unreachable_bytes;
    s->listed.count = (uint32_t)outcome.result.listed;
    input->page->lost.blocks = outcome.result.lost_blocks;
    input->page->lost.digest = outcome.result.lost_digest;
    input->page->lost.hidden = outcome.result.hidden;
    return true;
}

static void search_here(state *s) {
    mark(s);
    if (!s->failure)
        s->failure = gp_unread_sentence();
    list_findings(s);
    if (!s->failure && is_graph_wanted(s))
        write_graph(s);
}

// Text of a number of bytes, never "0 MB".
static void put_size(char text[24], uint64_t bytes) {
    const uint64_t tenths = bytes / ((1ull << 30) / 10);
    if (tenths >= 10)
        snprintf(text, 24, "%" PRIu64 ".%" PRIu64 " GB", tenths / 10, tenths % 10);
    else
        snprintf(text, 24, "%" PRIu64 " MB", (bytes >> 20) + 1);
}

// Why the analysis is not begun; NULL: there is memory enough. The index, which is small, exists.
static const char *lack_of_memory(const state *s) {
    static char sentence[160];
    const uint64_t room = gp_memory_room(), need = (uint64_t)s->index.count * BYTES_OF_BLOCK;
    if (room == UINT64_MAX || need + GP_FREEZE_RESERVE <= room)
        return NULL;
    char needed[24], available[24];
    put_size(needed, need + GP_FREEZE_RESERVE);
    put_size(available, room);
    snprintf(sentence, sizeof sentence, "the analysis of the heap needs about %s of memory, %s are available", needed,
             available);
    return sentence;
}

// False: they could not be read. What the kernel holds is copied to memory that is none of them, where it would be a root as well.
static bool read_mappings(state *s) {
    const bool is_read = gp_memory_map_read(&s->map);
    gp_kernel_held_pointers_read(s->input->process);
    return is_read;
}

void gp_analysis_run(gp_analysis *analysis) {
    uint64_t start = gp_now_ns();
    static state s;
    s.input = analysis;
    gp_fault_guard_prepare();
    gp_images_set_complete(true);
    // This process has free descriptors.
    if (analysis->obstacle && gp_threads_are_all(&analysis->threads, analysis->process, analysis->caller.id))
        analysis->obstacle = NULL;
    gp_process_maps_read(analysis->memory);
    gp_process_maps_note_unread();
    if (gp_live_disguise)
        gp_live_disguise();
    if ((s.failure = analysis->obstacle))
        ;
    else if (!read_mappings(&s))
        s.failure = "the process's mappings could not be read";
    else if (!gp_index_build(&s.index))
        s.failure = "there was no memory for the index of live blocks";
    else if ((s.failure = lack_of_memory(&s)))
        ;
    else if (analysis->threads.missed)
        s.failure = "not every thread stopped in time";
    else
        find_roots(&s);
    gp_write_begin_in_child(analysis->thread);
    while (!atomic_load(&analysis->page->pause_ns))
        gp_sleep(PAUSE_LOOK_NS);
    gp_analysis_write_begin(analysis);
    gp_growth_begin(analysis->name, analysis->flags == GP_HEAP_AT_EXIT);
    uint64_t swift_objects = analysis->seeks_paths_alone ? 0 : gp_census_write(analysis->thread);
    gp_expectations_write(analysis->thread, analysis->time_ns, analysis->caller.id);
    atomic_fetch_add(&analysis->page->progress, 1);
    if (!s.failure && !analysis->seeks_paths_alone)
        write_footprint(&s);
    ask(&s);
    if (!s.failure && !search_outside(&s))
        search_here(&s);
    analysis->page->lost.known = !s.failure;
    gp_heap_end record = {.header = {.kind = GP_HEAP_END, .flags = s.failure != NULL},
                          .snapshot = analysis->snapshot,
                          .blocks = s.index.count,
                          .bytes = s.index.bytes,
                          .swift_objects = swift_objects,
                          .unreachable_blocks = s.unreachable,
                          .unreachable_bytes = s.unreachable_bytes,
                          .listed_objects = s.listed.count,
                          .analysis_ns = gp_now_ns() - start};
    gp_write_record(analysis->thread, &record, sizeof record, s.failure, s.failure ? strlen(s.failure) : 0);
    gp_write_end_in_child(analysis->thread);
}
