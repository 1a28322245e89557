// The words of a block that no type describes and that name a block.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block_index.h"
#include "object_kind.h"

// What may hold something in a block without a type.
typedef struct {
    uintptr_t start, end;
    bool is_metadata;  // words that name an object do not count
    bool is_task;  // a task's frames: their words may be those of functions that returned
} gp_raw_part;

// `end`: of what was asked for.
gp_raw_part gp_raw_part_of(const gp_block_index *index, uintptr_t block, uintptr_t end, size_t usable);

// Whether a word of the part is to be looked at.
static inline bool gp_raw_part_counts(const gp_raw_part *part, const gp_block_index *index, uintptr_t word) {
    return !part->is_metadata || !gp_word_names_object(index, word);
}

// Calls `visit` for each such word at `offset` with the block that it names. Words that are known references of the
// object are left out; a side table's word back to its object too.
void gp_raw_words(const gp_block_index *index, uintptr_t address, size_t usable, gp_kind kind,
                  void (*visit)(uint32_t offset, uintptr_t start, uint32_t block, void *context), void *context);

enum { GP_NAMED_MAX = 6 };

// The blocks that a word of untyped memory may name, tag bits taken off: stores their numbers and starts, and returns
// how many. They are what marking reaches by the word.
unsigned gp_blocks_named(const gp_block_index *index, uintptr_t word, uint32_t blocks[GP_NAMED_MAX],
                         uintptr_t starts[GP_NAMED_MAX]);
