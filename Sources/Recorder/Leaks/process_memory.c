#include "process_memory.h"

#include "arena.h"
#include "file.h"
#include "system.h"

// For 130,000 mappings; only what is read takes memory.
enum { TEXT_MOST = 128 << 20 };

static char *text;
static long length;

// Never as 0 to 2, which the program may have closed: the copy gives these up.
static int open_own(const char *path) {
    const long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? -1 : gp_file_move_high((int)file);
}

gp_process_memory gp_process_memory_open(void) {
    return (gp_process_memory){open_own("/proc/self/smaps"), open_own("/proc/self/smaps_rollup")};
}

static void close_own(int file) {
    if (file >= 0)
        gp_system(close, file);
}

void gp_process_memory_close(gp_process_memory memory) {
    close_own(memory.smaps);
    close_own(memory.rollup);
}

// A file of which not all can be read says nothing.
static void append(int file) {
    const long before = length;
    long count = file < 0 ? -1 : 1;
    while (count > 0 && (count = gp_system(read, file, text + length, TEXT_MOST - length)) > 0)
        length += count;
    if (count != 0 || length == TEXT_MOST)
        length = before;
}

void gp_process_memory_read(gp_process_memory memory) {
    // Of the arena: addresses of blocks in it are no references.
    text = gp_arena_allocate(TEXT_MOST);
    if (!text)
        return;
    append(memory.smaps);
    if (length > 0)
        append(memory.rollup);
}

void gp_process_memory_send(gp_search_stream *stream) {
    for (long at = 0, size; at < length; at += size) {
        size = length - at < GP_SEARCH_MOST_SAID ? length - at : GP_SEARCH_MOST_SAID;
        gp_search_send(stream, (gp_search_message){.kind = GP_SEARCH_SMAPS, .size = (uint32_t)size}, text + at);
    }
}
