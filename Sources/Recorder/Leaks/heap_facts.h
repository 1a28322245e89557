// What the recorder knows of a frozen heap that a search needs: where blocks and the program's words stand, and what is
// asked for.
#pragma once

#include "path_request.h"
#include "roots.h"
#include "search_stream.h"

typedef struct {
    const gp_roots *roots;
    const gp_path_request *request;
    uint32_t seeks;  // GP_SEARCH_SEEKS_*
    gp_root_visitor visit;  // sees the words as well; NULL: nobody does
    void *context;
} gp_heap_facts;

// Sends all of it up to GP_SEARCH_BEGIN.
void gp_heap_facts_send(const gp_heap_facts *facts, gp_search_stream *stream);
