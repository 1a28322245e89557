#include "memory_map.h"

#include <string.h>

#include "../recorder/system.h"

enum { MAPS_MAX = 1 << 17, PAGE = 4096, SMALL = 1 << 22, BATCH = 4096 };
// Nobody's data: address space that was reserved for a table, an arena or a sanitizer's shadow.
static const uintptr_t RESERVATION = 1ull << 36;

// The line of a mapping comes in pieces: the buffer ends anywhere.
typedef struct {
    int field;  // 0 start, 1 end, 2 permissions, 3 offset, 4 device, 5 inode, 6 path
    unsigned position;  // in the field
    char path[12];
    gp_map map;
} line;

static void read_permission(line *l, char byte) {
    if (byte == 'r')
        l->map.flags |= GP_MAP_READ;
    else if (byte == 'w')
        l->map.flags |= GP_MAP_WRITE;
    else if (byte == 's')
        l->map.flags |= GP_MAP_SHARED;
}

static uint32_t flags_of_path(const char *path) {
    if (!strncmp(path, "[heap]", 6))
        return GP_MAP_HEAP;
    if (!strncmp(path, "[stack]", 7))
        return GP_MAP_STACK;
    if (!strncmp(path, "/dev/zero", 9) || !strncmp(path, "/memfd:", 7))
        return GP_MAP_MEMORY;
    return !strncmp(path, "[v", 2) ? GP_MAP_KERNEL : 0;
}

static void read_byte(line *l, char byte) {
    uintptr_t digit = (uintptr_t)(byte >= 'a' ? byte - 'a' + 10 : byte - '0');
    if (l->field < 6 && (byte == ' ' || (l->field == 0 && byte == '-'))) {
        l->field++;
        l->position = 0;
    } else if (l->field == 0) {
        l->map.start = l->map.start << 4 | digit;
    } else if (l->field == 1) {
        l->map.end = l->map.end << 4 | digit;
    } else if (l->field == 2) {
        read_permission(l, byte);
    } else if (l->field == 5 && byte != '0') {
        l->map.flags |= GP_MAP_FILE;
    } else if (l->field == 6 && byte != ' ' && l->position < sizeof l->path - 1) {
        l->path[l->position++] = byte;
    }
}

bool gp_memory_map_read(gp_memory_map *map) {
    *map = (gp_memory_map){.maps = gp_system_pages(MAPS_MAX * sizeof(gp_map))};
    int file = (int)gp_system(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (!map->maps || file < 0)
        return false;
    char buffer[4096];
    line l = {0};
    long count;
    while ((count = gp_system(read, file, buffer, sizeof buffer)) > 0)
        for (long i = 0; i < count; i++) {
            if (buffer[i] != '\n') {
                read_byte(&l, buffer[i]);
                continue;
            }
            l.map.flags |= flags_of_path(l.path);
            if (map->count < MAPS_MAX)
                map->maps[map->count++] = l.map;
            l = (line){0};
        }
    gp_system(close, file);
    return count == 0 && map->count < MAPS_MAX;
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

void gp_memory_map_present(uintptr_t start, uintptr_t end, void (*visit)(uintptr_t start, uintptr_t end, void *context),
                           void *context) {
    static const uint64_t present = 3ull << 62;  // in memory, or swapped out
    int file = end - start > SMALL ? (int)gp_system(openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0 && end - start <= RESERVATION)
        visit(start, end, context);
    static uint64_t pages[BATCH];
    uintptr_t first = start & -(uintptr_t)PAGE;
    while (file >= 0 && first < end && end - start <= RESERVATION) {
        long count = gp_system(pread64, file, pages, sizeof pages, first / PAGE * 8) / 8;
        for (long i = 0; i < count; i++) {
            long run = i;
            while (run < count && pages[run] & present)
                run++;
            uintptr_t from = first + (uintptr_t)i * PAGE, to = first + (uintptr_t)run * PAGE;
            if (run > i && from < end)
                visit(from > start ? from : start, to < end ? to : end, context);
            i = run;
        }
        first += (uintptr_t)(count > 0 ? count : BATCH) * PAGE;
    }
    if (file >= 0)
        gp_system(close, file);
}

void gp_memory_map_resident(uintptr_t start, uintptr_t end,
                            void (*visit)(uintptr_t start, uintptr_t end, void *context), void *context) {
    static uint8_t pages[BATCH];
    for (uintptr_t first = start; first < end && end - start <= RESERVATION; first += (uintptr_t)BATCH * PAGE) {
        uintptr_t stop = end - first > (uintptr_t)BATCH * PAGE ? first + (uintptr_t)BATCH * PAGE : end;
        if (gp_system(mincore, first, stop - first, pages) != 0)
            continue;
        for (uintptr_t i = 0, count = (stop - first) / PAGE; i < count; i++) {
            uintptr_t run = i;
            while (run < count && pages[run] & 1)
                run++;
            if (run > i)
                visit(first + i * PAGE, first + run * PAGE, context);
            i = run;
        }
    }
}
