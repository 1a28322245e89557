// The process's mappings as the kernel lists them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapping.h"

// Beside those of mapping.h.
enum {
    GP_MAP_HEAP = 1u << 4,  // "[heap]"
    GP_MAP_STACK = 1u << 5,  // "[stack]": the main thread's
    GP_MAP_KERNEL = 1u << 6,  // vdso and its like
    GP_MAP_MEMORY = 1u << 7,  // a file in name only: shared memory, or memfd_create's
    GP_MAP_FOREIGN = 1u << 8,  // a device's, which must not be read; or the recorder's spool
    GP_MAP_OPENED = 1u << 9,  // the program could not read it
};

// Address space that was reserved for a table or an arena: too much to ask for each of its pages.
static const uintptr_t GP_RESERVATION = 1ull << 40;

typedef struct {
    uintptr_t start, end;
    uint32_t flags;
} gp_map;

typedef struct {
    size_t count;
    gp_map *maps;  // ascending
} gp_memory_map;

// What cannot be read though words of the program may stand there: whatever it names looks lost, and a search that has met it
// proves nothing. Kept in the frozen child.
void gp_unread_note(uintptr_t start, uintptr_t end, const char *reason);

// A sentence without its period that names what was noted first; NULL: nothing was.
const char *gp_unread_sentence(void);

typedef void gp_range_visitor(uintptr_t start, uintptr_t end, void *context);

// Reads /proc/self/maps and makes private memory readable that is not. Only in the frozen child. False: it cannot be read
// or memory is short.
bool gp_memory_map_read(gp_memory_map *map);

// The mapping that contains `address`, NULL: none.
const gp_map *gp_memory_map_find(const gp_memory_map *map, uintptr_t address);

// Calls `visit` for each run of pages of [start, end) that hold something: untouched and huge reservations are left out.
void gp_memory_map_present(uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context);

// The same for a private mapping of a file: what is still as it stands in the file is left out.
void gp_memory_map_written(uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context);

// The same for shared memory, of which a forked process knows only by asking the kernel.
void gp_memory_map_resident(uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context);
