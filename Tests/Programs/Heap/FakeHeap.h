// A small heap made by hand: blocks with glibc's chunk headers, and "Swift objects" whose first word is OBJECT.
#ifndef FAKE_HEAP_H
#define FAKE_HEAP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"
#include "../../../Sources/Recorder/Leaks/block_index.h"
#include "live_table.h"
#include "swift_types.h"
#include "TraceFormat.h"

static const uint32_t fake_class[16] = {[6] = 32};  // instance size at offset 24
#define OBJECT ((uintptr_t)fake_class)
#define COUNTS 3ull
enum { HEAP_SIZE = 8 << 20 };

static _Alignas(16) uint8_t heap[HEAP_SIZE];
static size_t heap_used;

// A block of `usable` bytes, 8 more than a multiple of 16.
static inline uintptr_t *fake_block(gp_block_index *index, size_t usable) {
    uintptr_t chunk = (uintptr_t)heap + heap_used;
    *(size_t *)(chunk + 8) = (usable + 8) | 1;
    heap_used += usable + 8;
    gp_index_add(index, chunk + 16, chunk + 16 + usable);
    return (uintptr_t *)(chunk + 16);
}

static inline uintptr_t *fake_object(gp_block_index *index) {
    uintptr_t *object = fake_block(index, 40);
    object[0] = OBJECT;
    object[1] = COUNTS;
    return object;
}

// What the live table knows, ascending.
static gp_block fake_live[8];
static size_t fake_live_count;

void gp_live_each(bool (*visit)(const gp_block *block, void *context), void *context) {
    for (size_t i = 0; i < fake_live_count && visit(&fake_live[i], context); i++)
        ;
}
int gp_type_kind(uintptr_t word, size_t size) {
    return word == OBJECT && size >= 32 ? GP_TYPE_CLASS : -1;
}

#endif
