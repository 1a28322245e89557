#include "mapping.h"

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

bool gp_mapping_containing(uintptr_t address, gp_mapping *mapping) {
    int file = (int)gp_system(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    char buffer[2048];
    line_reader reader = {.part = IN_START};
    bool found = false;
    long count;
    while (!found && (count = gp_system(read, file, buffer, sizeof buffer)) > 0)
        for (long i = 0; i < count && !found; i++)
            found = read_byte(&reader, buffer[i], address);
    gp_system(close, file);
    if (found)
        *mapping = reader.mapping;
    return found;
}
