// The addresses that fill a dead block. Nothing is mapped there, but for the side tables by which --keep-going goes on:
// the address of a fault tells the block's grave and the word that was followed.
#ifndef GP_ZOMBIES_LAYOUT_H
#define GP_ZOMBIES_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GP_GRAVE_BITS = 16,  // 64 KiB of address space for each grave
    GP_GRAVE_METADATA = 4096,  // word 0: the vtable lies around it
    GP_GRAVE_COUNTS = 18 * 1024,  // word 1: a reference count's side table
    GP_GRAVE_WORDS = 24 * 1024,  // words 2, 3, 4 …
    GP_GRAVE_STRIDE = 512,
    GP_GRAVE_WORD_COUNT = 80,  // words beyond share the last one's address
    GP_GRAVE_MIDDLE = 64,  // in a word's stretch: offsets from −64 to 447 are told apart
    GP_POISONED_BYTES = 4096,  // of a block; what lies beyond stays as it was
    GP_GRAVES_MOST = 1 << 18,
    GP_PINNED_MOST = 1 << 12,
};

extern __attribute__((visibility("hidden"))) uintptr_t gp_graves_base, gp_graves_size;

static inline uintptr_t gp_grave_start(uint32_t grave) {
    return gp_graves_base + ((uintptr_t)grave << GP_GRAVE_BITS);
}

static inline bool gp_in_graves(uintptr_t address) {
    return address - gp_graves_base < gp_graves_size;
}

static inline uintptr_t gp_poison_metadata(uint32_t grave) {
    return gp_grave_start(grave) + GP_GRAVE_METADATA;
}

// A reference count word with a side table: bits 63 and 62, and the table's address / 8.
static inline uintptr_t gp_poison_counts(uint32_t grave) {
    return (gp_grave_start(grave) + GP_GRAVE_COUNTS) >> 3 | (uintptr_t)3 << 62;
}

static inline uintptr_t gp_poison_word(uint32_t grave, size_t index) {
    size_t place = index - 2 < GP_GRAVE_WORD_COUNT ? index - 2 : GP_GRAVE_WORD_COUNT - 1;
    return gp_grave_start(grave) + GP_GRAVE_WORDS + place * GP_GRAVE_STRIDE + GP_GRAVE_MIDDLE;
}

typedef enum { GP_TOUCHED_METADATA, GP_TOUCHED_COUNTS, GP_TOUCHED_WORD } gp_touched;

typedef struct {
    uint32_t grave;
    gp_touched part;
    int64_t offset;  // from the metadata's address; of the word in the block
} gp_touch;

// Whether words behind this one of a block of so many words have the same address.
static inline bool gp_poison_is_shared(size_t index, size_t words) {
    return index == GP_GRAVE_WORD_COUNT + 1 && words > index + 1;
}

// What a fault at `address` (in the graves) means.
static inline gp_touch gp_touch_of(uintptr_t address) {
    uintptr_t inside = (address - gp_graves_base) & ((1u << GP_GRAVE_BITS) - 1);
    gp_touch touch = {.grave = (uint32_t)((address - gp_graves_base) >> GP_GRAVE_BITS)};
    if (inside < GP_GRAVE_COUNTS - 2048) {
        touch.part = GP_TOUCHED_METADATA;
        touch.offset = (int64_t)inside - GP_GRAVE_METADATA;
    } else if (inside < GP_GRAVE_WORDS) {
        touch.part = GP_TOUCHED_COUNTS;
        touch.offset = 8;
    } else {
        touch.part = GP_TOUCHED_WORD;
        touch.offset = 8 * (int64_t)((inside - GP_GRAVE_WORDS) / GP_GRAVE_STRIDE + 2);
    }
    return touch;
}

#endif
