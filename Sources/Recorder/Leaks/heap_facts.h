// What the recorder knows of a frozen heap that a search needs: where blocks and the program's words stand, and what is
// asked for.
#pragma once

#include "path_request.h"
#include "roots.h"
#include "search_stream.h"

// What lives.
typedef struct {
    uint64_t blocks, bytes, swift_objects;
} gp_heap_totals;

typedef struct {
    const char *name;  // of the snapshot, may be NULL
    uint8_t trigger;  // GP_HEAP_AT_EXIT, …
    gp_heap_totals *totals;  // are filled in
    const gp_roots *roots;
    const gp_path_request *request;
    uint32_t seeks;  // GP_SEARCH_SEEKS_*
    gp_root_visitor visit;  // sees the words as well; NULL: nobody does
    void *context;
} gp_heap_facts;

// Sends the live blocks.
void gp_heap_blocks_send(const gp_heap_facts *facts, gp_search_stream *stream);

// Sends the rest up to GP_SEARCH_BEGIN; where only counts are sought, where nothing but the blocks is known, that alone.
void gp_heap_facts_send(const gp_heap_facts *facts, gp_search_stream *stream);
