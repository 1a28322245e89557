// What the kernel says of the memory of the process that was frozen: of that process, which lives on, and not of its copy,
// whose tables of pages of files begin empty.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch.h"
#include "block_index.h"
#include "memory_map.h"
#include "roots.h"

struct gp_thread;

typedef struct {
    int smaps, rollup, pagemap;  // negative: it cannot be read
} gp_process_memory;

// Before the process is copied. Three descriptors, which stay the process's own in the copy.
gp_process_memory gp_process_memory_open(void);
void gp_process_memory_close(gp_process_memory memory);

// In the copy: keeps what the kernel counts now for gp_process_maps_write. Costs about 10 µs for each resident MiB.
void gp_process_maps_read(gp_process_memory memory);

// Notes as unread what the copy lacks because the program keeps it from copies (MADV_DONTFORK, MADV_WIPEONFORK).
void gp_process_maps_note_unread(void);

// Writes a GP_RESIDENT_MAP for each mapping, and one of their sum. False: they could not be read.
bool gp_process_maps_write(struct gp_thread *thread);

// Which pages are in the machine's memory. Asked in ascending order it reads 4 KiB of the kernel's table for each 2 MiB.
typedef struct {
    int file;  // pagemap
    uintptr_t first;
    long count;
    uint64_t entries[512];
} gp_page_table;

bool gp_page_is_resident(gp_page_table *table, uintptr_t page);

// Bytes of the whole pages of [start, end).
uint64_t gp_resident_bytes(gp_page_table *table, uintptr_t start, uintptr_t end);

// What the resident memory of the frozen process is: each range of which the recorder knows what lies there, and what of
// the allocator's is in use.

typedef struct {
    struct gp_thread *thread;
    const gp_memory_map *map;
    const gp_block_index *index;
    const gp_roots *roots;  // with the stacks of ended threads
    gp_process_memory memory;
    _Atomic uint32_t *progress;
} gp_footprint;

// Writes GP_RESIDENT_MAP, GP_RESIDENT_RANGE and GP_HEAP_PINNED; nothing where the kernel does not let itself be read. In
// the frozen child. About 10 ns for each block and each page of the heap.
void gp_footprint_write(const gp_footprint *footprint);

// The part of it in heap_pages.c: the ranges of the allocator, and what pins its pages.
void gp_heap_pages_write(const gp_footprint *footprint, gp_page_table *table);
