// A small heap made by hand: blocks with glibc's chunk headers, and "Swift objects" whose first word is OBJECT.
#ifndef FAKE_HEAP_H
#define FAKE_HEAP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"
#include "../../../Sources/Recorder/Leaks/block_index.h"
#include "live_table.h"
#include "references.h"
#include "swift_types.h"
#include "TraceFormat.h"

static const uint32_t fake_class[16] = {[6] = 32};  // instance size at offset 24
#define OBJECT ((uintptr_t)fake_class)
static const uint32_t fake_plain_class[16] = {[6] = 32};
#define PLAIN_OBJECT ((uintptr_t)fake_plain_class)  // the word at 16 is strong, the one at 24 a number
static const uint32_t fake_key_path[16] = {[6] = 32};
#define KEY_PATH ((uintptr_t)fake_key_path)
#define COUNTS 3ull
enum { HEAP_SIZE = 8 << 20, WEAK_AT = 24 };

static _Alignas(16) uint8_t heap[HEAP_SIZE];
static size_t heap_used;

// A block of `usable` bytes (8 more than a multiple of 16), of which `asked` were asked for.
static inline uintptr_t *fake_block(gp_block_index *index, size_t usable, size_t asked) {
    uintptr_t chunk = (uintptr_t)heap + heap_used;
    *(size_t *)(chunk + 8) = (usable + 8) | 1;
    heap_used += usable + 8;
    gp_index_add(index, chunk + 16, chunk + 16 + usable, asked);
    return (uintptr_t *)(chunk + 16);
}

static inline uintptr_t *fake_object(gp_block_index *index) {
    uintptr_t *object = fake_block(index, 40, 32);
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
bool gp_live_get(uintptr_t address, gp_block *block) {
    (void)address, (void)block;
    return false;
}
bool gp_block_is_metadata_slab(uintptr_t block, size_t size) {
    (void)block, (void)size;
    return false;
}
int gp_type_kind(uintptr_t word, size_t size) {
    return (word == OBJECT || word == PLAIN_OBJECT || word == KEY_PATH) && size >= 32 ? GP_TYPE_CLASS : -1;
}
gp_reference_plan gp_plan_of(uintptr_t metadata, int kind) {
    (void)kind;
    return (gp_reference_plan){.fixed = metadata == PLAIN_OBJECT, .strong = 1ull << 2};
}
bool gp_class_is_key_path(uintptr_t metadata) {
    return metadata == KEY_PATH;
}
unsigned gp_untag(uintptr_t word, uintptr_t candidates[4]) {
    candidates[0] = word & 0x00fffffffffffff8;
    candidates[1] = candidates[0] + 32;
    return 2;
}
gp_reference_counts gp_reference_counts_of(uintptr_t object) {
    (void)object;
    return (gp_reference_counts){.strong = 1};
}
// The word at 16 is strong, the one at 24 weak.
gp_decoded gp_references(uintptr_t object, size_t size, int kind, gp_decode_mode mode, gp_reference_visitor visit,
                         void *context) {
    (void)size, (void)mode;
    if (kind < 0)
        return GP_DECODED_NONE;
    const uintptr_t *words = (const uintptr_t *)object;
    gp_reference strong = {.target = words[2], .offset = 16, .ownership = GP_OWN_STRONG};
    gp_reference weak = {.target = words[3], .offset = WEAK_AT, .ownership = GP_OWN_WEAK};
    visit(&strong, context);
    visit(&weak, context);
    return GP_DECODED_ALL;
}

#endif
