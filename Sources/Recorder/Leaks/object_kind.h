// What a block is, by its first word. Verdicts are remembered per first word.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block_index.h"
#include "references.h"

enum { GP_KIND_RAW = -1 };  // otherwise GP_TYPE_*

typedef struct {
    uintptr_t word;
    int32_t kind;
    uint32_t instance_size;  // of a class, 0 for what has none
    bool is_key_path;
    gp_reference_plan plan;
} gp_kind;

// Whether the word is an address within a Swift object.
bool gp_word_names_object(const gp_block_index *index, uintptr_t word);

// The kind of the block at `block` with usable size `usable`.
gp_kind gp_object_kind(uintptr_t block, size_t usable);

// The same of a block whose usable size is not needed otherwise.
static inline gp_kind gp_kind_of(uintptr_t block) {
    return gp_object_kind(block, gp_block_usable(block));
}

// The same without copying it: valid until the next call.
const gp_kind *gp_object_kind_at(uintptr_t block, size_t usable);

// How many bytes of the block can hold references. The usable size counts only for objects with elements behind the
// instance (arrays grow into it): elsewhere the slack holds what the block's last owner left there.
size_t gp_object_extent(const gp_block_index *index, uintptr_t block, size_t usable, gp_kind kind);

// The same for who has the block's slack at hand (gp_index_slack).
size_t gp_object_extent_with(unsigned slack, uintptr_t block, size_t usable, const gp_kind *kind);

// The words of a block that no type describes and that name a block.

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
