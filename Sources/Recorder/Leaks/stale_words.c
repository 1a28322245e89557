#include "stale_words.h"

#include <stdio.h>

#include "images.h"
#include "stale_filters.h"
#include "block_index.h"
#include "swift_types.h"

// In the order in which they need each other: the stacks of ended threads are no roots of the runtime's tables.
void gp_stale_words_find(gp_roots *roots) {
    static gp_system_frames frames;
    static gp_ended_stacks ended;
    gp_system_frames_find(roots->caller, &frames);
    roots->system_frames = &frames;
    if (gp_ended_stacks_begin(&ended)) {
        gp_roots_each_lasting(roots, gp_ended_stacks_note, &ended);
        roots->ended = &ended;
    }
    gp_parked_threads_note(roots->threads);
    gp_roots_each_lasting(roots, gp_runtime_tables_note, (void *)roots->index);
}

// ----------------------------------------------------------------------------------------------------------- stale room

// Buffers of libc's streams, and memory without a type that globals of a shared Swift runtime lead to in one or two steps. The
// tables of a runtime that is linked into the program look like the program's own memory.
enum { STREAMS_MAX = 4096, LARGEST_TABLE = 1 << 20 };

extern FILE *_IO_list_all;  // of libc: every open stream, each with the next in _chain

static void note_streams(const gp_block_index *index, uint64_t *room) {
    unsigned left = STREAMS_MAX;
    for (const FILE *stream = _IO_list_all; stream && left > 0; stream = stream->_chain, left--) {
        uint32_t block = gp_index_exact(index, (uintptr_t)stream->_IO_buf_base);
        if (block != GP_NO_BLOCK)
            gp_set_add(room, block);
    }
}

static void note_tables(const gp_block_index *index, uint64_t *room, uintptr_t start, uintptr_t end, unsigned steps) {
    for (uintptr_t at = start; at + sizeof(uintptr_t) <= end; at += sizeof(uintptr_t)) {
        uintptr_t word = *(const uintptr_t *)at;
        uint32_t block = gp_index_exact(index, word);
        if (block == GP_NO_BLOCK)
            continue;
        size_t usable = gp_block_usable(word);
        if (gp_type_kind(*(const uintptr_t *)word, usable) >= 0 || !gp_set_add(room, block))
            continue;
        if (steps > 1 && usable <= LARGEST_TABLE)
            note_tables(index, room, word, word + usable, steps - 1);
    }
}

static const gp_image_info *runtime_at(uintptr_t address) {
    for (const gp_image_info *image = gp_image_first(); image; image = image->next)
        if (!image->gone && address >= image->start && address < image->end)
            return gp_image_is_called(image, "libswiftCore.so") || gp_image_is_called(image, "libswift_Concurrency.so")
                       ? image
                       : NULL;
    return NULL;
}

uint64_t *gp_stale_room_find(const gp_roots *roots) {
    uint64_t *room = gp_set_new(roots->index->count);
    if (!room)
        return NULL;
    note_streams(roots->index, room);
    for (size_t i = 0; i < roots->map->count; i++) {
        const gp_map *map = &roots->map->maps[i];
        const gp_image_info *image =
            map->flags & GP_MAP_READ && map->flags & GP_MAP_WRITE ? runtime_at(map->start) : NULL;
        if (image)
            note_tables(roots->index, room, map->start, map->end < image->end ? map->end : image->end & -8ul, 2);
    }
    return room;
}
