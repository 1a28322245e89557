#include "footprint.h"

#include <string.h>

#include "arch.h"
#include "count_rows.h"
#include "live_table.h"
#include "swift_types.h"
#include "TraceFormat.h"
#include "trace_writer.h"

// What the chunks of a heap are for.
typedef enum { LIVE, BINNED, TOP, CACHED, OWN, USES } use;

enum { CHUNK_HEADER = 16, CHUNK_LEAST = 32, PREVIOUS_IN_USE = 1, PAGE_BLOCKS = 16 };
enum { PROGRESS_STEP = 1 << 16 };

// sizeof(struct malloc_state) since glibc 2.27.
enum { ARENA_BYTES = 2200 };

typedef struct {
    uintptr_t start;
    uint32_t bytes[USES];
    uint32_t count;
    uintptr_t blocks[PAGE_BLOCKS];  // some that lie in it
} page_use;

typedef struct {
    const gp_footprint *footprint;
    gp_page_table *table;
    gp_count_rows pinned;
    gp_resident_range range;
    page_use page;
    uint64_t pages;
} walk;

// ------------------------------------------------------------------------------------------------------------ pages

// The type and stack of most of the page's blocks that were kept.
static uint32_t row_of_blocks(walk *w) {
    uint32_t rows[PAGE_BLOCKS];
    uint32_t best = GP_NO_ROW, most = 0;
    for (uint32_t i = 0; i < w->page.count; i++) {
        const uintptr_t block = w->page.blocks[i];
        gp_block known = {.address = block};
        gp_live_get(block, &known);
        const bool may_be_object = !(known.flags & GP_BLOCK_LOADER) && known.size >= 16;
        const uint32_t type =
            may_be_object ? gp_type_id(w->footprint->thread, *(const uintptr_t *)block, known.size) : 0;
        rows[i] = gp_count_rows_at(&w->pinned, type, known.stack);
        uint32_t alike = 0;
        for (uint32_t j = 0; j <= i; j++)
            alike += rows[j] == rows[i];
        if (alike > most) {
            most = alike;
            best = rows[i];
        }
    }
    return best;
}

static void finish_page(walk *w) {
    const page_use *page = &w->page;
    if (!page->start || !gp_page_is_resident(w->table, page->start))
        return;
    w->range.resident += gp_page_size();
    w->range.live += page->bytes[LIVE];
    w->range.binned += page->bytes[BINNED];
    w->range.top += page->bytes[TOP];
    w->range.cached += page->bytes[CACHED];
    if (page->bytes[BINNED] == gp_page_size())
        w->range.trimmable += gp_page_size();
    // Blocks pin a page of which half is free.
    if (page->bytes[BINNED] < gp_page_size() / 2 || page->count == 0)
        return;
    const uint32_t row = row_of_blocks(w);
    if (row == GP_NO_ROW)
        return;
    w->pinned.rows[row].count++;
    w->pinned.rows[row].bytes += page->bytes[BINNED];
}

static void add(walk *w, uintptr_t from, uintptr_t end, use use) {
    while (from < end) {
        const uintptr_t page = gp_page_start(from), next = page + gp_page_size(), part = next < end ? next : end;
        if (page != w->page.start) {
            finish_page(w);
            w->page = (page_use){.start = page};
            if (++w->pages % PROGRESS_STEP == 0)
                atomic_fetch_add(w->footprint->progress, 1);
        }
        w->page.bytes[use] += (uint32_t)(part - from);
        from = part;
    }
}

static void note_block(walk *w, uintptr_t block) {
    if (w->page.count < PAGE_BLOCKS)
        w->page.blocks[w->page.count++] = block;
}

// ------------------------------------------------------------------------------------------------------------ chunks

static size_t size_at(uintptr_t chunk) {
    return *(const size_t *)(chunk + 8);
}

// A damaged heap is left out up to the next block.
static uintptr_t next_known(const walk *w, uintptr_t chunk, uintptr_t end) {
    const uintptr_t block = gp_index_first_start(w->footprint->index, chunk + CHUNK_HEADER + 16, end);
    return block < end ? block - CHUNK_HEADER : end;
}

static use use_of(const walk *w, uintptr_t chunk, uintptr_t next, uintptr_t end) {
    if (gp_index_exact(w->footprint->index, chunk + CHUNK_HEADER) != GP_NO_BLOCK)
        return LIVE;
    if (next == end)
        return TOP;
    return end - next >= CHUNK_HEADER && !(size_at(next) & PREVIOUS_IN_USE) ? BINNED : CACHED;
}

static void walk_chunks(walk *w, uintptr_t first, uintptr_t end) {
    for (uintptr_t chunk = first, next; chunk < end; chunk = next) {
        const size_t size = end - chunk >= CHUNK_HEADER ? size_at(chunk) & ~(size_t)GP_CHUNK_FLAGS : 0;
        if (size < CHUNK_LEAST || size % 16 || size > end - chunk) {
            next = next_known(w, chunk, end);
            add(w, chunk, next, OWN);
            continue;
        }
        next = chunk + size;
        const use use = use_of(w, chunk, next, end);
        if (use != LIVE) {
            add(w, chunk, next, use);
            continue;
        }
        // The page of the header is not the block's where that begins with a page.
        add(w, chunk, chunk + CHUNK_HEADER, LIVE);
        add(w, chunk + CHUNK_HEADER, chunk + CHUNK_LEAST, LIVE);
        note_block(w, chunk + CHUNK_HEADER);
        add(w, chunk + CHUNK_LEAST, next, LIVE);
        if (gp_page_start(next - 1) != gp_page_start(chunk + CHUNK_HEADER))
            note_block(w, chunk + CHUNK_HEADER);
    }
}

// ------------------------------------------------------------------------------------------------------------ ranges

static void begin(walk *w, uint8_t kind, uintptr_t start, uintptr_t end) {
    w->page = (page_use){.start = 0};
    w->range = (gp_resident_range){.header = {.kind = GP_RESIDENT_RANGE, .flags = kind}, .start = start, .end = end};
}

static void finish(walk *w) {
    finish_page(w);
    if (w->range.resident > 0)
        gp_write_record(w->footprint->thread, &w->range, sizeof w->range, NULL, 0);
    atomic_fetch_add(w->footprint->progress, 1);
}

static void walk_heap(walk *w, gp_address_range region, uintptr_t arena, uintptr_t first) {
    begin(w, GP_RANGE_ARENA, region.start, region.end);
    w->range.arena = arena;
    add(w, region.start, first, OWN);
    walk_chunks(w, first, region.end);
    finish(w);
}

// Behind the header of the arena's first heap stands the arena.
static uintptr_t first_chunk(uintptr_t heap, uintptr_t arena) {
    const uintptr_t header = arena & (GP_HEAP_SPAN - 1);
    const uintptr_t own = arena == heap + header ? header + ARENA_BYTES : header;
    return (heap + own + 15) & -16ul;
}

static void walk_region(walk *w, gp_address_range region) {
    const uintptr_t arena = gp_arena_of_heap(region.start);
    if (arena) {
        walk_heap(w, region, arena, first_chunk(region.start, arena));
        return;
    }
    const uintptr_t block = gp_index_first_start(w->footprint->index, region.start, region.end);
    if (block < region.end && !(gp_chunk_word(block) & GP_CHUNK_MAPPED)) {
        const uintptr_t heap = block & -GP_HEAP_SPAN;
        walk_heap(w, region, gp_chunk_word(block) & GP_CHUNK_ARENA ? *(const uintptr_t *)heap : 0,
                  block - CHUNK_HEADER > region.start ? block - CHUNK_HEADER : region.start);
        return;
    }
    begin(w, GP_RANGE_BLOCK, region.start, region.end);
    w->range.resident = w->range.live = gp_resident_bytes(w->table, region.start, region.end);
    finish(w);
}

static void walk_mapping(walk *w, const gp_map *map) {
    if (map->flags & (GP_MAP_FILE | GP_MAP_SHARED | GP_MAP_KERNEL | GP_MAP_STACK | GP_MAP_FOREIGN))
        return;
    if (map->flags & GP_MAP_HEAP) {
        walk_heap(w, (gp_address_range){map->start, map->end}, 0, map->start);
        return;
    }
    for (uintptr_t at = map->start; at < map->end;) {
        const gp_address_range region = gp_allocator_region(w->footprint->index, at, map->end);
        if (region.start >= map->end || region.end <= at)
            return;
        const uintptr_t start = region.start > at ? region.start : at;
        const uintptr_t end = region.end < map->end ? region.end : map->end;
        walk_region(w, (gp_address_range){start, end});
        at = end;
    }
}

static void write_pinned(const walk *w) {
    for (uint32_t i = 0; i < w->pinned.count; i++)
        if (w->pinned.rows[i].count > 0)
            gp_count_row_write(&w->pinned.rows[i], w->footprint->thread, GP_HEAP_PINNED);
}

void gp_heap_pages_write(const gp_footprint *footprint, gp_page_table *table) {
    walk w = {.footprint = footprint, .table = table};
    if (!gp_count_rows_begin(&w.pinned))
        return;
    for (size_t i = 0; i < footprint->map->count; i++)
        walk_mapping(&w, &footprint->map->maps[i]);
    write_pinned(&w);
    gp_count_rows_end(&w.pinned);
}
