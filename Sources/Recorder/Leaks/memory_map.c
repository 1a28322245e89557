#include "memory_map.h"

#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "system.h"
#include "arena.h"

enum { MAPS_MAX = 1 << 17, BATCH = 4096 };
static const char not_listed[] = "the kernel does not list its pages";
static const uintptr_t LARGEST_UNASKED = 1ull << 36;  // where the kernel does not report what was touched

static gp_mapping unread;
static const char *unread_reason;

void gp_unread_note(uintptr_t start, uintptr_t end, const char *reason) {
    if (unread.end)
        return;
    unread = (gp_mapping){start, end};
    unread_reason = reason;
}

const char *gp_unread_sentence(void) {
    enum { KIB = 1024 };
    static char sentence[200];
    if (!unread.end)
        return NULL;
    snprintf(sentence, sizeof sentence, "%zu KB of the program's memory, from %#zx on, could not be read: %s",
             (size_t)((unread.end - unread.start + KIB - 1) / KIB), (size_t)unread.start, unread_reason);
    return sentence;
}

static bool begins_with(const char *path, const char *start) {
    return strncmp(path, start, strlen(start)) == 0;
}

static uint32_t flags_of_path(const char *path) {
    if (begins_with(path, "[heap]"))
        return GP_MAP_HEAP;
    if (begins_with(path, "[stack]"))
        return GP_MAP_STACK;
    if (begins_with(path, "/dev/zero") || begins_with(path, "/dev/shm/") || begins_with(path, "/memfd:") ||
        begins_with(path, "/SYSV"))
        return GP_MAP_MEMORY;
    if (begins_with(path, "/dev/") || begins_with(path, "anon_inode:"))
        return GP_MAP_FOREIGN;
    return begins_with(path, "[v") ? GP_MAP_KERNEL : 0;
}

static bool is_spool(uint64_t tail) {
    static const char ending[] = ".spool";
    uint64_t wanted = 0;
    for (const char *c = ending; *c; c++)
        wanted = wanted << 8 | (uint8_t)*c;
    return (tail & 0xffffffffffff) == wanted;
}

static void note_present(uintptr_t start, uintptr_t end, void *none) {
    (void)none;
    gp_unread_note(start, end, "it cannot be made readable");
}

// Blocks, their headers and words may lie in memory that the program has put out of its own reach.
static void make_readable(gp_memory_map *map) {
    for (gp_map *at = map->maps; at < map->maps + map->count; at++) {
        const bool is_file = at->flags & GP_MAP_FILE && !(at->flags & GP_MAP_MEMORY);
        if (at->flags & (GP_MAP_READ | GP_MAP_KERNEL | GP_MAP_FOREIGN) || is_file)
            continue;
        if (gp_system(mprotect, at->start, at->end - at->start, PROT_READ) == 0)
            at->flags |= GP_MAP_READ | GP_MAP_OPENED;
        else if (!(at->flags & GP_MAP_SHARED))
            gp_memory_map_present(at->start, at->end, note_present, NULL);
    }
}

// False: there is no room.
static bool add_line(const gp_mapping_line *line, void *context) {
    gp_memory_map *map = context;
    const uint32_t of_path = flags_of_path(line->path) | (is_spool(line->path_end) ? GP_MAP_FOREIGN : 0);
    if (map->count < MAPS_MAX)
        map->maps[map->count++] = (gp_map){line->range.start, line->range.end, line->flags | of_path};
    return map->count < MAPS_MAX;
}

bool gp_memory_map_read(gp_memory_map *map) {
    // The list contains its own mapping, and its bounds name places inside of blocks: the arena is no root.
    *map = (gp_memory_map){.maps = gp_arena_allocate(MAPS_MAX * sizeof(gp_map))};
    const bool is_whole = map->maps && gp_mappings_each(add_line, map) && map->count < MAPS_MAX;
    make_readable(map);
    return is_whole;
}

const gp_map *gp_memory_map_find(const gp_memory_map *map, uintptr_t address) {
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (map->maps[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < map->count && map->maps[low].start <= address ? &map->maps[low] : NULL;
}

// struct pm_scan_arg and struct page_region of linux/fs.h, which older headers lack.
typedef struct {
    uint64_t size, flags, start, end, walk_end, regions, region_count, pages_most, inverted, all_of, any_of, returned;
} scan;

typedef struct {
    uint64_t start, end, categories;
} page_region;

static const unsigned scan_number = 0xc0606610;  // PAGEMAP_SCAN: _IOWR('f', 16, struct pm_scan_arg)

// Kernels from 6.7 on pass over what was never touched. False: this one cannot.
static bool scan_pages(int file, uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context) {
    enum { PRESENT = 1 << 3, SWAPPED = 1 << 4 };
    static page_region regions[BATCH];
    uint64_t stop = gp_page_end(end);
    for (uint64_t at = gp_page_start(start); at < stop;) {
        scan asked = {.size = sizeof asked,
                      .start = at,
                      .end = stop,
                      .regions = (uintptr_t)regions,
                      .region_count = BATCH,
                      .any_of = PRESENT | SWAPPED,
                      .returned = PRESENT | SWAPPED};
        long count = gp_system(ioctl, file, scan_number, &asked);
        if (count < 0 || asked.walk_end <= at)
            return false;
        for (long i = 0; i < count; i++)
            visit(regions[i].start > start ? regions[i].start : start, regions[i].end < end ? regions[i].end : end,
                  context);
        at = asked.walk_end;
    }
    return true;
}

// Stays open until this process, the frozen copy, ends.
static int page_table(void) {
    enum { NOT_YET = -1000 };
    static int file = NOT_YET;
    if (file == NOT_YET)
        file = (int)gp_system(openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    return file;
}

// The kernel does not say what of it was touched.
static void visit_unasked(uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context) {
    if (end - start <= LARGEST_UNASKED)
        visit(start, end, context);
    else
        gp_unread_note(start, end, not_listed);
}

// Calls `visit` for each run of pages that are in memory or swapped out, and not `without`.
static void read_pages(int file, uintptr_t start, uintptr_t end, uint64_t without, gp_range_visitor *visit,
                       void *context) {
    static const uint64_t present = 3ull << 62;
    static uint64_t pages[BATCH];
    const uintptr_t page = gp_page_size();
    for (uintptr_t first = gp_page_start(start); first < end;) {
        const uintptr_t left = (end - first + page - 1) / page;
        const size_t wanted = left < BATCH ? left : BATCH;
        long count = gp_system(pread64, file, pages, wanted * sizeof *pages, first / page * 8) / 8;
        if (count <= 0) {
            visit_unasked(first > start ? first : start, end, visit, context);
            return;
        }
        for (long i = 0; i < count; i++) {
            long run = i;
            while (run < count && pages[run] & present && !(pages[run] & without))
                run++;
            uintptr_t from = first + (uintptr_t)i * page, to = first + (uintptr_t)run * page;
            if (run > i && from < end)
                visit(from > start ? from : start, to < end ? to : end, context);
            i = run;
        }
        first += (uintptr_t)count * page;
    }
}

void gp_memory_map_present(uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context) {
    const int file = page_table();
    if (file < 0) {
        visit_unasked(start, end, visit, context);
        return;
    }
    if (!scan_pages(file, start, end, visit, context)) {
        if (end - start <= GP_RESERVATION)
            read_pages(file, start, end, 0, visit, context);
        else
            gp_unread_note(start, end, not_listed);
    }
}

void gp_memory_map_written(uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context) {
    static const uint64_t of_file = 1ull << 61;
    // An emulator may keep the memory at other addresses: on aarch64 all is read.
    const int file = GP_MAY_BE_EMULATED ? -1 : page_table();
    if (file < 0) {
        visit(start, end, context);
        return;
    }
    read_pages(file, start, end, of_file, visit, context);
}

void gp_memory_map_resident(uintptr_t start, uintptr_t end, gp_range_visitor *visit, void *context) {
    static uint8_t pages[BATCH];
    const uintptr_t page = gp_page_size();
    if (end - start > GP_RESERVATION) {
        gp_unread_note(start, end, not_listed);
        return;
    }
    for (uintptr_t first = start; first < end; first += BATCH * page) {
        uintptr_t stop = end - first > BATCH * page ? first + BATCH * page : end;
        if (gp_system(mincore, first, stop - first, pages) != 0) {
            gp_unread_note(first, stop, not_listed);
            continue;
        }
        for (uintptr_t i = 0, count = (stop - first) / page; i < count; i++) {
            uintptr_t run = i;
            while (run < count && pages[run] & 1)
                run++;
            if (run > i)
                visit(first + i * page, first + run * page, context);
            i = run;
        }
    }
}
