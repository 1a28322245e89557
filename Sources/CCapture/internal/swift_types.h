// Recognising Swift objects by their first word, and naming types, by parsing metadata alone: no call into the Swift
// runtime, no lock, no allocation. Works in malloc, in static and stripped programs, and where no runtime is loaded.
#ifndef GP_SWIFT_TYPES_H
#define GP_SWIFT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_thread;

#define GP_TYPE_CACHE 256

typedef struct {
    uintptr_t word[GP_TYPE_CACHE];
    uint32_t id[GP_TYPE_CACHE];
} gp_type_cache;

// The type id (GP_TYPE record) of a block whose first word is `word`, 0: not a Swift object. `size`: of the block.
// At the first sight of a type writes GP_TYPE and GP_TYPE_NAME. Cached per thread; ~2 ns when cached.
uint32_t gp_type_id(struct gp_thread *thread, uintptr_t word, size_t size);

// What kind of heap object a first word names: GP_TYPE_* of TraceFormat.h, or −1: none. Uncached.
int gp_type_kind(uintptr_t word, size_t size);

// The metadata address of a type id.
uintptr_t gp_type_metadata(uint32_t id);

// Writes the name of any metadata ("Game.Box<Game.Card>", "Swift.Optional<Swift.Int>") into `buffer`, always
// NUL-terminated, and returns its length. Private and local contexts are left out of the name.
size_t gp_type_name_of(uintptr_t metadata, char *buffer, size_t capacity);

#endif
