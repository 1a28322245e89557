// Lets another process search the heap of this frozen one (HeapSearch.h).
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heap_facts.h"
#include "search_stream.h"

typedef struct {
    bool is_known;
    gp_search_result result;
    char failure[256];  // why there is none
} gp_search_service_outcome;

typedef struct {
    gp_search_stream stream;  // without its socket
    const gp_heap_facts *facts;
    gp_search_service_outcome *outcome;
} gp_search_service;

// Connects to the socket at `path` (an abstract one where it begins with @), says what is to be searched, answers requests, and writes the records that it is given.
// Returns when the searcher is done. False: nobody has searched.
bool gp_search_serve(const gp_search_service *service, const char *path);
