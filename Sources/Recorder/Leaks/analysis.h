// The analysis of a frozen heap, from classifying to the last record.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "freeze.h"
#include "heap_facts.h"
#include "kernel_texts.h"
#include "stop_threads.h"

struct gp_thread;

typedef struct {
    struct gp_thread *thread;
    const char *name;
    uint32_t snapshot;
    uint32_t stack;  // of the caller
    uint8_t flags;
    uint64_t time_ns;
    gp_stopped_threads threads;
    const char *obstacle;  // why the threads could not be listed; NULL: they were
    gp_stopped_thread caller;
    bool is_crash;  // the program ends when this is done: its threads stand still until then
    bool seeks_paths_alone;  // to what is asked for: nothing else is searched for
    uint32_t process;
    gp_path_request request;
    const char *searcher;  // the socket of the process that searches the heap; NULL: the trace takes its image
    bool writes_graph;  // of all live blocks
    bool seeks_abandoned;  // writes the graph where it is small, or may show what is abandoned
    gp_process_memory memory;
    gp_freeze_page *page;
} gp_analysis;

// Only in the frozen child.
void gp_analysis_run(gp_analysis *analysis);

// Writes GP_HEAP_BEGIN, once the pause is known.
void gp_analysis_write_begin(const gp_analysis *analysis);
