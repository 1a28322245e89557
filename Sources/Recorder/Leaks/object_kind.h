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
