#include "odd_places.h"

#include <stdatomic.h>
#include <string.h>

#include "TraceFormat.h"
#include "bits.h"
#include "block_size.h"
#include "object_kind.h"

// What was found may hold further ones. Each round reads all memory once more.
enum { ROUNDS_MOST = 8, PROGRESS_STEP = 4096 };

// So much is read in all: some seconds. Beyond it what packed structures hold in huge mappings is called lost.
static const uintptr_t BYTES_MOST = 4ul << 30;

typedef struct {
    gp_marker *marker;
    uintptr_t left;  // bytes that may still be read
    uint32_t found, visited;
    bool is_needed;
} search;

static void look_at(search *s, uintptr_t start, uintptr_t end) {
    const gp_block_index *index = s->marker->index;
    if (end <= start)
        return;
    end = end - start > s->left ? start + s->left : end;
    s->left -= end - start;
    for (uintptr_t at = start; at + sizeof(uintptr_t) <= end; at++) {
        uintptr_t word;
        memcpy(&word, (const void *)at, sizeof word);
        if (word - index->low >= index->high - index->low || at % sizeof word == 0)
            continue;
        uint32_t block = gp_index_exact(index, word);
        if (block == GP_NO_BLOCK || gp_bits_has(s->marker->marked, block) ||
            (s->marker->closed && gp_bits_has(s->marker->closed, block)))
            continue;
        gp_mark_word(s->marker, word);
        s->found++;
    }
}

static void tick(const search *s) {
    if (s->marker->progress)
        atomic_fetch_add(s->marker->progress, 1);
}

static void look_at_root(const gp_root_words *words, void *context) {
    tick(context);
    if (words->kind != GP_ROOT_REGISTER && words->kind != GP_ROOT_KERNEL)
        look_at(context, words->start, words->end);
}

static bool look_at_block(uint32_t block, uintptr_t start, void *context) {
    search *s = context;
    size_t usable = gp_block_usable(start);
    if (s->visited++ % PROGRESS_STEP == 0)
        tick(s);
    gp_kind kind = gp_object_kind(start, usable);
    if (gp_bits_has(s->marker->marked, block) && kind.kind < 0)
        look_at(s, start, start + gp_object_extent(s->marker->index, start, usable, kind));
    return true;
}

static bool note_lost(uint32_t block, uintptr_t start, void *context) {
    search *s = context;
    s->is_needed = !gp_bits_has(s->marker->marked, block) && gp_object_kind(start, gp_block_usable(start)).kind < 0;
    return !s->is_needed;
}

// Lost objects alone are hardly kept by packed structures, and there may be millions of objects to look at.
static bool is_needed(search *s) {
    s->is_needed = false;
    gp_index_each(s->marker->index, note_lost, s);
    return s->is_needed;
}

void gp_odd_places_mark(const gp_roots *roots, gp_marker *marker) {
    search s = {.marker = marker, .left = BYTES_MOST, .found = 1};
    for (int round = 0; round < ROUNDS_MOST && s.found && is_needed(&s); round++) {
        s.found = 0;
        gp_roots_each_lasting(roots, look_at_root, &s);
        gp_roots_each_passing(roots, look_at_root, &s);
        gp_index_each(marker->index, look_at_block, &s);
        gp_mark_follow(marker);
    }
}
