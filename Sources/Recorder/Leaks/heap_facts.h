// What the recorder knows of a frozen heap that a search needs: where blocks and the program's words stand, and what is
// asked for.
#pragma once

#include "roots.h"
#include "search_stream.h"

// A living object to which a snapshot is to report the path from a root.
typedef struct {
    uintptr_t hidden;  // complement of its address: the question itself must not be what shows it
    const char *label;  // what the caller calls it, may be NULL
    uint8_t cause;  // GP_TARGET_*
} gp_path_target;

typedef struct {
    const char *patterns;  // of types, one a line; empty or NULL: none
    const gp_path_target *objects;
    size_t object_count;
} gp_path_request;

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

// Writes the heap of a frozen copy as an image into the trace (GP_HEAP_IMAGE), which whoever reads the trace searches: the
// mappings, the memory that the program has for itself, and the facts. What of a file is as the file has it is left out, and what
// holds nothing but zeros. Takes as much of the trace as the program has memory. NULL: all of it is written; otherwise why not.
const char *gp_heap_image_write(const gp_heap_facts *facts, const gp_search_stream *stream);
