// What the resident memory of the frozen process is: each range of which the recorder knows what lies there, and what of
// the allocator's is in use.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "block_index.h"
#include "memory_map.h"
#include "process_memory.h"
#include "roots.h"

struct gp_thread;

typedef struct {
    struct gp_thread *thread;
    const gp_memory_map *map;
    const gp_block_index *index;
    const gp_roots *roots;  // with the stacks of ended threads
    gp_process_memory memory;
    _Atomic uint32_t *progress;
} gp_footprint;

// Writes GP_RESIDENT_MAP, GP_RESIDENT_RANGE, GP_HEAP_PINNED and GP_HEAP_UNUSED; nothing where the kernel does not let itself be read. In
// the frozen child. About 10 ns for each block and each page of the heap.
void gp_footprint_write(const gp_footprint *footprint);

// The part of it in heap_pages.c: the ranges of the allocator, and what pins its pages.
void gp_heap_pages_write(const gp_footprint *footprint, gp_page_table *table);

// And in unused_capacity.c: large collections by what their elements do not fill.
void gp_unused_capacity_write(const gp_footprint *footprint, gp_page_table *table);
