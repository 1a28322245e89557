#include "heap_facts.h"

#include "arch.h"
#include "arena.h"
#include "live_table.h"
#include "memory_map.h"
#include "system.h"

typedef struct {
    const gp_memory_map *map;
    gp_search_stream stream;
    bool is_file;  // what is written are pages of one: zeros in them are the program's
} image;

static bool is_zero(const uint64_t *words, uintptr_t size) {
    for (uintptr_t i = 0; i < size / sizeof *words; i++)
        if (words[i])
            return false;
    return true;
}

static void write_run(uintptr_t start, uintptr_t end, void *context) {
    image *i = context;
    for (uintptr_t at = start, next; at < end && !i->stream.failed; at = next) {
        next = end - at > GP_SEARCH_MOST_SAID ? at + GP_SEARCH_MOST_SAID : end;
        gp_search_send(
            &i->stream,
            (gp_search_message){.kind = GP_SEARCH_MEMORY, .size = (uint32_t)(next - at), .first = at, .second = 0},
            (const void *)at);
    }
}

static void write_zeros(uintptr_t start, uintptr_t end, void *context) {
    image *i = context;
    gp_search_send(&i->stream, (gp_search_message){.kind = GP_SEARCH_MEMORY, .first = start, .second = end - start},
                   NULL);
}

// Pages that are there.
static void write_pages(uintptr_t start, uintptr_t end, void *context) {
    const image *i = context;
    gp_range_visitor *write = write_run;
    uintptr_t from = start;
    for (uintptr_t at = start, next; at < end && !i->is_file; at = next) {
        next = gp_page_end(at + 1) < end ? gp_page_end(at + 1) : end;
        gp_range_visitor *const own = is_zero((const uint64_t *)at, next - at) ? write_zeros : write_run;
        if (own == write)
            continue;
        if (from < at)
            write(from, at, context);
        from = at;
        write = own;
    }
    write(from, end, context);
}

static void write_part(image *i, const gp_map *map, uintptr_t start, uintptr_t end) {
    const bool is_memory = map->flags & GP_MAP_MEMORY || !(map->flags & GP_MAP_FILE);
    i->is_file = !is_memory;
    if (map->flags & (GP_MAP_SHARED | GP_MAP_MEMORY))
        gp_memory_map_resident(start, end, write_pages, i);
    else if (is_memory)
        gp_memory_map_present(start, end, write_pages, i);
    else
        gp_memory_map_written(start, end, write_pages, i);
}

// What a file shares with the program is as the file has it, unless the program may write there.
static bool is_written(const gp_map *map) {
    const bool is_file = map->flags & GP_MAP_FILE && !(map->flags & GP_MAP_MEMORY);
    return map->flags & GP_MAP_READ && !(map->flags & (GP_MAP_KERNEL | GP_MAP_FOREIGN)) &&
           !(is_file && map->flags & GP_MAP_SHARED && !(map->flags & GP_MAP_WRITE));
}

static void write_memory(image *i) {
    for (const gp_map *map = i->map->maps; map < i->map->maps + i->map->count; map++) {
        uintptr_t part_start, part_end;
        for (uintptr_t at = map->start; at < map->end && is_written(map); at = part_end) {
            gp_arena_find(at, map->end, &part_start, &part_end);
            if (part_start > at)
                write_part(i, map, at, part_start);
            // What the recorder's own memory holds is nobody's, how much of it there is counts.
            if (part_start < map->end)
                gp_memory_map_present(part_start, part_end < map->end ? part_end : map->end, write_zeros, i);
        }
    }
}

// Copies that the recorder made stand in memory of its own: registers, and what the kernel holds.
static void write_copied(const gp_root_words *words, void *context) {
    image *i = context;
    uintptr_t part_start, part_end;
    gp_arena_find(words->start, words->end, &part_start, &part_end);
    if (words->start < words->end && (part_start < words->end || !gp_memory_map_find(i->map, words->start)))
        write_run(words->start, words->end, i);
}

// The header word in front of a block is glibc's: its size with the header, and three flags. A chunk mapped by itself, as
// guarded ones say they are, has both header words in front; another lends the next chunk's first word.
static size_t usable(uintptr_t block) {
    enum { FLAGS = 7, MAPPED = 2 };
    const size_t word = *(const size_t *)(block - sizeof word);
    return (word & ~(size_t)FLAGS) - (word & MAPPED ? 2 * sizeof word : sizeof word);
}

// Objects that have pages of their own lie in the recorder's memory. Arrays use all of a block.
static bool write_guarded(const gp_block *block, void *context) {
    image *i = context;
    uintptr_t part_start, part_end;
    gp_arena_find(block->address, block->address + 1, &part_start, &part_end);
    if (part_start <= block->address)
        write_run(block->address - sizeof(size_t), block->address + usable(block->address), i);
    return !i->stream.failed;
}

static void write_maps(image *i) {
    static char text[GP_SEARCH_MOST_SAID];
    const long file = gp_system(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    long count = 0;
    while (file >= 0 && (count = gp_system(read, file, text, sizeof text)) > 0)
        gp_search_send(
            &i->stream,
            (gp_search_message){.kind = GP_SEARCH_MAPS, .size = (uint32_t)count, .first = GP_ELF_MACHINE, .second = 0},
            text);
    i->stream.failed |= file < 0 || count < 0;
    if (file >= 0)
        gp_system(close, file);
}

const char *gp_heap_image_write(const gp_heap_facts *facts, const gp_search_stream *stream) {
    image i = {.map = facts->roots->map, .stream = *stream};
    i.stream.socket = -1;
    gp_heap_facts with_copies = *facts;
    with_copies.visit = write_copied;
    with_copies.context = &i;
    gp_heap_blocks_send(facts, &i.stream);
    if (!(facts->seeks & GP_SEARCH_SEEKS_COUNTS_ALONE)) {
        write_maps(&i);
        write_memory(&i);
        if (gp_live_disguise)
            gp_live_each(write_guarded, &i);
    }
    gp_heap_facts_send(&with_copies, &i.stream);
    return i.stream.failed ? "the trace has no room for the image of the heap" : NULL;
}
