// The addresses that fill a quarantined block. Nothing is mapped there, but for the side tables by which --continue goes on:
// the address of a fault gives the block's slot and the word that was followed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "slow_path.h"

enum {
    GP_SLOT_BITS = 16,  // 64 KiB of address space for each slot
    GP_SLOT_METADATA = 4096,  // word 0: the vtable lies around it
    GP_SLOT_COUNTS = 18 * 1024,  // word 1: a reference count's side table
    GP_SLOT_WORDS = 24 * 1024,  // words 2, 3, 4 …
    GP_SLOT_STRIDE = 512,
    GP_SLOT_WORD_COUNT = 80,  // words beyond share the last one's address
    GP_SLOT_MIDDLE = 64,  // in a word's stretch: offsets from −64 to 447 are told apart
    GP_POISONED_BYTES = 4096,  // of a block; what lies beyond stays as it was
    GP_SLOTS_MOST = 1 << 18,
    GP_UNOWNED_KEPT_MOST = 1 << 12,
    GP_REVEALED_MOST = 1 << 6,
};

extern __attribute__((visibility("hidden"))) uintptr_t gp_slots_base, gp_slots_size;

static inline uintptr_t gp_slot_start(uint32_t slot) {
    return gp_slots_base + ((uintptr_t)slot << GP_SLOT_BITS);
}

static inline bool gp_is_poison_address(uintptr_t address) {
    return address - gp_slots_base < gp_slots_size;
}

static inline uintptr_t gp_poison_metadata(uint32_t slot) {
    return gp_slot_start(slot) + GP_SLOT_METADATA;
}

// A reference count word with a side table: bits 63 and 62, and the table's address / 8.
static inline uintptr_t gp_poison_counts(uint32_t slot) {
    return (gp_slot_start(slot) + GP_SLOT_COUNTS) >> 3 | (uintptr_t)3 << 62;
}

static inline uintptr_t gp_poison_word(uint32_t slot, size_t index) {
    size_t place = index - 2 < GP_SLOT_WORD_COUNT ? index - 2 : GP_SLOT_WORD_COUNT - 1;
    return gp_slot_start(slot) + GP_SLOT_WORDS + place * GP_SLOT_STRIDE + GP_SLOT_MIDDLE;
}

typedef enum { GP_FAULT_METADATA, GP_FAULT_COUNTS, GP_FAULT_WORD } gp_fault_part;

typedef struct {
    uint32_t slot;
    gp_fault_part part;
    int64_t offset;  // from the metadata's address; of the word in the block
} gp_decoded_fault;

// What a fault at `address` (in the slots) means.
static inline gp_decoded_fault gp_decode_fault(uintptr_t address) {
    uintptr_t inside = (address - gp_slots_base) & ((1u << GP_SLOT_BITS) - 1);
    gp_decoded_fault touch = {.slot = (uint32_t)((address - gp_slots_base) >> GP_SLOT_BITS)};
    if (inside < GP_SLOT_COUNTS - 2048) {
        touch.part = GP_FAULT_METADATA;
        touch.offset = (int64_t)inside - GP_SLOT_METADATA;
    } else if (inside < GP_SLOT_WORDS) {
        touch.part = GP_FAULT_COUNTS;
        touch.offset = 8;
    } else {
        touch.part = GP_FAULT_WORD;
        touch.offset = 8 * (int64_t)((inside - GP_SLOT_WORDS) / GP_SLOT_STRIDE + 2);
    }
    return touch;
}

// ------------------------------------------------------------------------------------------------------------ filling

static inline size_t gp_poisoned_words(uint64_t size) {
    return (size < GP_POISONED_BYTES ? size : GP_POISONED_BYTES) / 8;
}

enum { GP_POISON_DISTINCT = GP_SLOT_WORD_COUNT + 2 };

// Most blocks have a few words: what the compiler would do for many costs them more than the words themselves.
#define GP_SHORT_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")

// The words of a long block that share the last address.
GP_SLOW_PATH void gp_poison_rest(uintptr_t *block, size_t words, uint32_t slot);
GP_SLOW_PATH bool gp_poison_rest_stands(const uintptr_t *block, size_t words, uint32_t slot);

// `words`: how many words of the block are filled; with fewer than its size, what lies beyond stays as it was.
static inline void gp_poison(uintptr_t *block, size_t words, uint32_t slot) {
    if (__builtin_expect(words < 2, 0)) {
        if (words > 0)
            block[0] = gp_poison_metadata(slot);
        return;
    }
    block[0] = gp_poison_metadata(slot);
    block[1] = gp_poison_counts(slot);
    uintptr_t value = gp_poison_word(slot, 2);
    const uintptr_t *end = block + (words < GP_POISON_DISTINCT ? words : GP_POISON_DISTINCT);
    GP_SHORT_LOOP
    for (uintptr_t *word = block + 2; word < end; word++, value += GP_SLOT_STRIDE)
        *word = value;
    if (__builtin_expect(words > GP_POISON_DISTINCT, 0))
        gp_poison_rest(block, words, slot);
}

// Whether all words are as they were filled.
static inline bool gp_poison_is_intact(const uintptr_t *block, size_t words, uint32_t slot) {
    if (__builtin_expect(words < 2, 0))
        return words == 0 || block[0] == gp_poison_metadata(slot);
    uintptr_t changed = (block[0] ^ gp_poison_metadata(slot)) | (block[1] ^ gp_poison_counts(slot));
    uintptr_t value = gp_poison_word(slot, 2);
    const uintptr_t *end = block + (words < GP_POISON_DISTINCT ? words : GP_POISON_DISTINCT);
    GP_SHORT_LOOP
    for (const uintptr_t *word = block + 2; word < end; word++, value += GP_SLOT_STRIDE)
        changed |= *word ^ value;
    bool long_one = words > GP_POISON_DISTINCT;
    return changed == 0 && (__builtin_expect(!long_one, 1) || gp_poison_rest_stands(block, words, slot));
}

static inline void gp_poison_clear(uintptr_t *block, size_t words) {
    const uintptr_t *end = block + (words < GP_POISON_DISTINCT ? words : GP_POISON_DISTINCT);
    GP_SHORT_LOOP
    for (uintptr_t *word = block; word < end; word++)
        *word = 0;
    if (__builtin_expect(words > GP_POISON_DISTINCT, 0))
        memset(block + GP_POISON_DISTINCT, 0, (words - GP_POISON_DISTINCT) * sizeof *block);
}
