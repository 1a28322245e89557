// What the kernel says of the memory of the process that was frozen: of that process, which lives on, and not of its copy,
// whose tables of pages of files begin empty.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"

struct gp_thread;

typedef struct {
    int smaps, rollup, pagemap;  // negative: it cannot be read
} gp_process_memory;

// Before the process is copied. Three descriptors, which stay the process's own in the copy.
gp_process_memory gp_process_memory_open(void);
void gp_process_memory_close(gp_process_memory memory);

// In the copy: keeps what the kernel counts now for gp_process_maps_write. Costs about 10 µs for each resident MiB.
void gp_process_maps_read(gp_process_memory memory);

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
