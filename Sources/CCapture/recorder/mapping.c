#include "mapping.h"

#include <errno.h>

#include "system.h"

// Reads "start-end rest-of-line" byte by byte; the state outlives the end of a buffer.
typedef struct {
    enum { IN_START, IN_END, IN_REST } part;
    gp_mapping mapping;
} line_reader;

static bool read_byte(line_reader *reader, char byte, uintptr_t address) {
    uintptr_t *number = reader->part == IN_START ? &reader->mapping.start : &reader->mapping.end;
    if (byte == '\n') {
        *reader = (line_reader){.part = IN_START};
    } else if (reader->part == IN_START && byte == '-') {
        reader->part = IN_END;
    } else if (reader->part == IN_END && byte == ' ') {
        reader->part = IN_REST;
        return address >= reader->mapping.start && address < reader->mapping.end;
    } else if (reader->part != IN_REST) {
        *number = *number * 16 + (uintptr_t)(byte >= 'a' ? byte - 'a' + 10 : byte - '0');
    }
    return false;
}

// struct procmap_query of linux/fs.h, which older headers lack.
typedef struct {
    uint64_t size, flags, address, start, end, rights, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
} query;

static const unsigned query_number = 0xc0686611;  // PROCMAP_QUERY: _IOWR('f', 17, query)

// Kernels from 6.11 on find it without writing all others down. Negative: this one cannot.
static int asked(int file, uintptr_t address, gp_mapping *mapping) {
    query question = {.size = sizeof question, .address = address};
    long answer = gp_system(ioctl, file, query_number, &question);
    if (answer < 0)
        return answer == -ENOENT ? 0 : -1;
    *mapping = (gp_mapping){question.start, question.end};
    return 1;
}

static bool read_through(int file, uintptr_t address, gp_mapping *mapping) {
    char buffer[2048];
    line_reader reader = {.part = IN_START};
    bool found = false;
    long count;
    while (!found && (count = gp_system(read, file, buffer, sizeof buffer)) > 0)
        for (long i = 0; i < count && !found; i++)
            found = read_byte(&reader, buffer[i], address);
    if (found)
        *mapping = reader.mapping;
    return found;
}

bool gp_mapping_containing(uintptr_t address, gp_mapping *mapping) {
    int file = (int)gp_system(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    int answer = asked(file, address, mapping);
    bool found = answer < 0 ? read_through(file, address, mapping) : answer > 0;
    gp_system(close, file);
    return found;
}
