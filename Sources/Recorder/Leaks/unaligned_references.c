#include "analysis_steps.h"

#include <string.h>

#include "TraceFormat.h"
#include "block_index.h"
#include "images.h"
#include "object_kind.h"
#include "references.h"

enum { PROGRESS_STEP = 4096, WIDTH = 16, REGIONS = 1 << 16, BLOCK_ALIGNMENT = 16 };

// So much is read in all: a second or two. Beyond it what odd places hold in huge mappings is called lost.
static const uintptr_t BYTES_MOST = 4ul << 30;

typedef struct {
    gp_marker *marker;
    const gp_memory_map *map;
    uintptr_t left;  // bytes that may still be read
    bool are_roots;  // what is read is no block
    uint32_t visited;
    uintptr_t low, high;  // of the first and the last lost block
    uint64_t regions[REGIONS / 64];  // by region_of: where lost blocks lie
    uint8_t least, greatest;  // the sixth byte of a lost block's address; the two above it are 0
} search;

static uint64_t word_at(uintptr_t at) {
    uint64_t word;
    memcpy(&word, (const void *)at, sizeof word);
    return word;
}

static bool is_lost(const gp_marker *marker, uint32_t block) {
    return !gp_set_has(marker->marked, block) && !(marker->proved && gp_set_has(marker->proved, block));
}

static uint32_t region_of(uintptr_t address) {
    return (uint32_t)(address >> GP_REGION_SHIFT) % REGIONS;
}

static inline bool names_lost(const search *s, uint64_t word) {
    if (word - s->low > s->high - s->low || word % BLOCK_ALIGNMENT != 0 || !gp_set_has(s->regions, region_of(word)))
        return false;
    uint32_t block = gp_index_exact(s->marker->index, word);
    return block != GP_NO_BLOCK && is_lost(s->marker, block);
}

static void try_unaligned(const search *s, uintptr_t at) {
    if (at % sizeof(uint64_t) != 0 && names_lost(s, word_at(at)))
        gp_mark_word(s->marker, word_at(at));
}

// Halves one behind the other, in front of which a number stands: it makes a pointer to nothing with the first upper half.
static bool is_in_row_of_halves(const search *s, uintptr_t at, uintptr_t start) {
    for (uintptr_t before = at - 4; before - start >= 8; before -= 8) {
        const uint64_t word = word_at(before - 8);
        if (word >> 32 != (uint32_t)word_at(at))
            return false;
        if (!gp_memory_map_find(s->map, word))
            return true;
    }
    return false;
}

// The upper half of a pointer and what stands behind it, a number or another pointer's lower half, make an address: in a
// heap of millions of blocks some lost one's, or the one that a weak reference names. In a block, and in a row
// of halves, the pointer itself may be of two encoded halves, unless it names an image.
static bool begins_in_pointer(const search *s, uintptr_t at, uintptr_t start, uintptr_t end, uint64_t word) {
    if (at % 8 == 0)
        return false;
    const bool has_next = end - at >= 12;
    if (has_next && word_at(at + 4) == word)
        return true;
    if (at - start < 4 || !gp_memory_map_find(s->map, word_at(at - 4)))
        return false;
    return (s->are_roots && !is_in_row_of_halves(s, at, start)) || gp_image_find(NULL, word_at(at - 4)) ||
           (has_next && gp_memory_map_find(s->map, word_at(at + 4)));
}

// The upper half first.
static void try_halves(const search *s, uintptr_t at, uintptr_t start, uintptr_t end) {
    if (at % 4 != 0)
        return;
    uint64_t word = word_at(at);
    word = word << 32 | word >> 32;
    if (names_lost(s, word) && !begins_in_pointer(s, at, start, end, word))
        gp_mark_word(s->marker, word);
}

static void try_reversed(const search *s, uintptr_t at) {
    uint64_t word = __builtin_bswap64(word_at(at));
    if (names_lost(s, word))
        gp_mark_word(s->marker, word);
}

// A counter of 16 bits below the address, or one above an address without the bits that alignment leaves at 0.
static void look_at_words(const search *s, uintptr_t start, uintptr_t end) {
    for (uintptr_t at = (start + 7) & ~(uintptr_t)7; at + sizeof(uint64_t) <= end; at += sizeof(uint64_t)) {
        uint64_t word = word_at(at);
        uint64_t addresses[] = {word >> 16, word << 3 & GP_USER_ADDRESS_BITS, word << 4 & GP_USER_ADDRESS_BITS};
        for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
            if (names_lost(s, addresses[i]))
                gp_mark_word(s->marker, addresses[i]);
    }
}

// `at`: of a byte that may be the sixth of an address.
static void look_around(const search *s, uintptr_t at, uintptr_t start, uintptr_t end) {
    uint8_t byte = *(const uint8_t *)at;
    if (byte < s->least || byte > s->greatest)
        return;
    if (at - start >= 5 && end - at >= 3)
        try_unaligned(s, at - 5);
    if (at - start >= 1 && end - at >= 7)
        try_halves(s, at - 1, start, end);
    if (at - start >= 2 && end - at >= 6)
        try_reversed(s, at - 2);
}

typedef uint8_t bytes __attribute__((vector_size(WIDTH)));

static bytes bytes_at(uintptr_t at) {
    typedef bytes unaligned __attribute__((aligned(1), may_alias));
    return *(const unaligned *)at;
}

// Which of the bytes from `at` on may be the sixth of an address: two zero bytes stand behind it, or before it.
static unsigned sixth_bytes(const search *s, uintptr_t at) {
    typedef bool bits __attribute__((ext_vector_type(WIDTH)));
    const bytes byte = bytes_at(at), behind = bytes_at(at + 1) | bytes_at(at + 2),
                before = bytes_at(at - 1) | bytes_at(at - 2);
    const bits found =
        __builtin_convertvector((byte >= s->least) & (byte <= s->greatest) & ((behind == 0) | (before == 0)), bits);
    uint16_t mask;
    memcpy(&mask, &found, sizeof mask);
    return mask;
}

static void look_at_each(const search *s, uintptr_t from, uintptr_t to, uintptr_t start, uintptr_t end) {
    for (uintptr_t at = from; at < to; at++)
        look_around(s, at, start, end);
}

static void look_at(search *s, uintptr_t start, uintptr_t end) {
    if (end <= start)
        return;
    end = end - start > s->left ? start + s->left : end;
    s->left -= end - start;
    look_at_words(s, start, end);
    if (end - start < 2 + WIDTH + 2) {
        look_at_each(s, start, end, start, end);
        return;
    }
    uintptr_t at = start + 2;
    look_at_each(s, start, at, start, end);
    for (; end - at >= WIDTH + 2; at += WIDTH)
        for (unsigned found = sixth_bytes(s, at); found; found &= found - 1)
            look_around(s, at + (unsigned)__builtin_ctz(found), start, end);
    look_at_each(s, at, end, start, end);
}

static void tick(const search *s) {
    if (s->marker->progress)
        atomic_fetch_add(s->marker->progress, 1);
}

static void look_at_root(const gp_root_words *words, void *context) {
    search *s = context;
    tick(s);
    if (words->kind != GP_ROOT_REGISTER && words->kind != GP_ROOT_KERNEL)
        look_at(s, words->start, words->end);
}

static void look_at_block(uintptr_t start, uintptr_t end, void *context) {
    look_at(context, start, end);
}

static bool look_at_marked(uint32_t block, uintptr_t start, void *context) {
    search *s = context;
    if (s->visited++ % PROGRESS_STEP == 0)
        tick(s);
    if (!gp_set_has(s->marker->marked, block))
        return true;
    size_t usable = gp_block_usable(start);
    const gp_kind *kind = gp_object_kind_at(start, usable);
    size_t extent = gp_object_extent_with(gp_index_slack(s->marker->index, block), start, usable, kind);
    look_at(s, start, start + extent);
    return true;
}

static bool note_lost(uint32_t block, uintptr_t start, void *context) {
    search *s = context;
    if (is_lost(s->marker, block)) {
        s->low = s->low ? s->low : start;
        s->high = start;
        gp_set_add(s->regions, region_of(start));
    }
    return true;
}

void gp_unaligned_references_mark(const gp_roots *roots, gp_marker *marker) {
    static search s;
    s = (search){.marker = marker, .map = roots->map, .left = BYTES_MOST, .are_roots = true};
    gp_index_each(marker->index, note_lost, &s);
    if (!s.low)
        return;
    s.least = (uint8_t)(s.low >> 40);
    s.greatest = (uint8_t)(s.high >> 40);
    gp_roots_each_lasting(roots, look_at_root, &s);
    gp_roots_each_passing(roots, look_at_root, &s);
    s.are_roots = false;
    gp_index_each(marker->index, look_at_marked, &s);
    // What is reached from here on is read for both kinds of places at once.
    marker->look = look_at_block;
    marker->look_context = &s;
    gp_mark_follow(marker);
    marker->look = NULL;
}
