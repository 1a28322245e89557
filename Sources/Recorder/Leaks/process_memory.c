#include "footprint.h"

#include <string.h>

#include "arena.h"
#include "file.h"
#include "system.h"
#include "trace_writer.h"
#include "words.h"

// For 130,000 mappings; only what is read takes memory.
enum { TEXT_MOST = 128 << 20, KIB = 1024 };

static char *text;  // NULL: not known

// Never as 0 to 2, which the program may have closed: the copy gives these up.
static int open_own(const char *path) {
    const long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? -1 : gp_file_move_high((int)file);
}

gp_process_memory gp_process_memory_open(void) {
    return (gp_process_memory){open_own("/proc/self/smaps"), open_own("/proc/self/smaps_rollup"),
                               open_own("/proc/self/pagemap")};
}

void gp_process_memory_close(gp_process_memory memory) {
    const int files[] = {memory.smaps, memory.rollup, memory.pagemap};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] >= 0)
            gp_system(close, files[i]);
}

// How long the text is then; as long as before when not all of the file could be read.
static long append(int file, char *room, long before) {
    long length = before, count = 0;
    while (length < TEXT_MOST - 1 && (count = gp_system(read, file, room + length, TEXT_MOST - 1 - length)) > 0)
        length += count;
    if (count != 0)
        room[length = before] = 0;
    return length;
}

void gp_process_maps_read(gp_process_memory memory) {
    text = NULL;
    if (memory.smaps < 0 || memory.pagemap < 0)
        return;
    // Of the arena: addresses of blocks in it are no references.
    char *const room = gp_arena_allocate(TEXT_MOST);
    const long length = room ? append(memory.smaps, room, 0) : 0;
    if (length == 0)
        return;
    text = room;
    append(memory.rollup, room, length);
}

// START-END RIGHTS OFFSET DEVICE INODE   PATH
static gp_resident_map read_mapping(gp_word line, gp_word *path) {
    const char *at = line.text;
    gp_resident_map map = {.header.kind = GP_RESIDENT_MAP};
    map.start = gp_hexadecimal_take(&at);
    at += *at == '-';
    map.end = gp_hexadecimal_take(&at);
    gp_word field;
    gp_word_next(&at, " ", &field);
    gp_word_next(&at, " ", &field);
    const uint8_t writable = memchr(field.text, 'w', field.length) ? GP_RESIDENT_WRITABLE : 0;
    const uint8_t shared = memchr(field.text, 's', field.length) ? GP_RESIDENT_SHARED : 0;
    gp_word_next(&at, " ", &field);
    gp_word_next(&at, " ", &field);
    const uint8_t file = gp_number_take(&at) ? GP_RESIDENT_FILE : 0;
    map.header.flags = writable | shared | file;
    const char *const end = line.text + line.length;
    while (at < end && *at == ' ')
        at++;
    *path = (gp_word){at, at < end ? (size_t)(end - at) : 0};
    return map;
}

static bool begins_mapping(gp_word line) {
    return line.length > 0 && (line.text[0] < 'A' || line.text[0] > 'Z');
}

static bool begins(gp_word line, const char *name) {
    return line.length > strlen(name) && memcmp(line.text, name, strlen(name)) == 0;
}

// The value of a line "NAME:   123 kB" in bytes; 0: it has another name.
static uint64_t value_of(gp_word line, const char *name) {
    if (!begins(line, name))
        return 0;
    const char *number = line.text + strlen(name);
    number += strspn(number, " ");
    return gp_number_at(number) * KIB;
}

static void write_mapping(struct gp_thread *thread, gp_resident_map *map, gp_word path) {
    if (map->resident > 0)
        gp_write_record(thread, map, sizeof *map, path.text, path.length);
}

// `flag`: a space and two letters, as proc_pid_smaps(5) lists them.
static bool has_flag(gp_word line, const char *flag) {
    return memmem(line.text, line.length, flag, strlen(flag));
}

static bool is_kept_from_copies(gp_word flags, const gp_resident_map *map) {
    if (has_flag(flags, " io") || has_flag(flags, " pf") || has_flag(flags, " dp"))
        return false;  // a device's memory, or what the kernel may drop at any time
    // A single page that is wiped is by what libraries notice a fork (BoringSSL).
    return has_flag(flags, " dc") || (has_flag(flags, " wf") && map->end - map->start > gp_page_size());
}

void gp_process_maps_note_unread(void) {
    const char *rest = text;
    gp_resident_map map = {.resident = 0};
    gp_word path;
    for (gp_word line; gp_word_next(&rest, "\n", &line);) {
        if (begins_mapping(line))
            map = read_mapping(line, &path);
        map.resident += value_of(line, "Rss:") + value_of(line, "Swap:");
        if (map.resident > 0 && begins(line, "VmFlags:") && is_kept_from_copies(line, &map))
            gp_unread_note(map.start, map.end, "it is kept from copies of the process (MADV_DONTFORK)");
    }
}

bool gp_process_maps_write(struct gp_thread *thread) {
    const char *rest = text;
    gp_resident_map map = {.resident = 0};
    gp_word path = {0};
    for (gp_word line; gp_word_next(&rest, "\n", &line);) {
        if (begins_mapping(line)) {
            write_mapping(thread, &map, path);
            map = read_mapping(line, &path);
        } else {
            map.resident += value_of(line, "Rss:");
            map.dirty += value_of(line, "Shared_Dirty:") + value_of(line, "Private_Dirty:");
        }
    }
    write_mapping(thread, &map, path);
    return text != NULL;
}

bool gp_page_is_resident(gp_page_table *table, uintptr_t page) {
    enum { ENTRIES = sizeof table->entries / sizeof table->entries[0] };
    static const uint64_t present = 1ull << 63;
    const uintptr_t number = page / gp_page_size();
    if (number < table->first || number - table->first >= ENTRIES) {
        table->first = number;
        table->count = gp_system(pread64, table->file, table->entries, sizeof table->entries, number * 8) / 8;
    }
    const long place = (long)(number - table->first);
    return place < table->count && table->entries[place] & present;
}

uint64_t gp_resident_bytes(gp_page_table *table, uintptr_t start, uintptr_t end) {
    uint64_t bytes = 0;
    for (uintptr_t page = gp_page_start(start); page < end; page += gp_page_size())
        bytes += gp_page_is_resident(table, page) ? gp_page_size() : 0;
    return bytes;
}
