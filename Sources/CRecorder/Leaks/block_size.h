// Usable size of a block by its glibc chunk header: the word before the block holds the chunk's size and three flags.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { GP_CHUNK_MAPPED = 2, GP_CHUNK_ARENA = 4, GP_CHUNK_FLAGS = 7 };

static inline size_t gp_chunk_word(uintptr_t block) {
    return *(const size_t *)(block - 8);
}

// A chunk mapped by itself has both header words in front, another lends the next chunk's first word.
static inline size_t gp_block_usable(uintptr_t block) {
    size_t word = gp_chunk_word(block);
    return (word & ~(size_t)GP_CHUNK_FLAGS) - (word & GP_CHUNK_MAPPED ? 16 : 8);
}

// Where glibc points when it means the chunk that follows this block's: into the block's own last word.
static inline uintptr_t gp_next_chunk(uintptr_t block) {
    return block + gp_block_usable(block) - 8;
}
