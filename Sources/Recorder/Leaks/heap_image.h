// The heap of a frozen copy as an image in the trace (GP_HEAP_IMAGE): whoever reads the trace searches it.
#pragma once

#include "heap_facts.h"
#include "search_stream.h"

// Writes the mappings, the memory that the program has for itself, and the facts. What of a file is as the file has it is
// left out, and what holds nothing but zeros. Takes as much of the trace as the program has memory. NULL: all of it is
// written; otherwise why not.
const char *gp_heap_image_write(const gp_heap_facts *facts, const gp_search_stream *stream);
