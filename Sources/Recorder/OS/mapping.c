#include "mapping.h"

#include <errno.h>
#include <sys/resource.h>

#include "system.h"

static int open_list(void) {
    return (int)gp_system(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
}

// A line comes in pieces: the buffer ends anywhere.
typedef struct {
    enum { IN_START, IN_END, IN_RIGHTS, IN_OFFSET, IN_DEVICE, IN_INODE, IN_PATH } field;
    unsigned position;  // in the path
    gp_mapping_line line;
} line_reader;

static uint32_t right_of(char byte) {
    return byte == 'r' ? GP_MAP_READ : byte == 'w' ? GP_MAP_WRITE : byte == 's' ? GP_MAP_SHARED : 0;
}

static void read_byte(line_reader *reader, char byte) {
    gp_mapping_line *line = &reader->line;
    const uintptr_t digit = (uintptr_t)(byte >= 'a' ? byte - 'a' + 10 : byte - '0');
    if (reader->field < IN_PATH && (byte == ' ' || (reader->field == IN_START && byte == '-')))
        reader->field++;
    else if (reader->field == IN_START)
        line->range.start = line->range.start << 4 | digit;
    else if (reader->field == IN_END)
        line->range.end = line->range.end << 4 | digit;
    else if (reader->field == IN_RIGHTS)
        line->flags |= right_of(byte);
    else if (reader->field == IN_INODE && byte != '0')
        line->flags |= GP_MAP_FILE;
    else if (reader->field == IN_PATH && byte != ' ') {
        line->path_end = line->path_end << 8 | (uint8_t)byte;
        if (reader->position < sizeof line->path - 1)
            line->path[reader->position++] = byte;
    }
}

bool gp_mappings_each(bool (*visit)(const gp_mapping_line *line, void *context), void *context) {
    const int file = open_list();
    if (file < 0)
        return false;
    char buffer[2048];
    line_reader reader = {.field = IN_START};
    bool goes_on = true;
    long count = 0;
    while (goes_on && (count = gp_system(read, file, buffer, sizeof buffer)) > 0)
        for (long i = 0; i < count && goes_on; i++) {
            if (buffer[i] != '\n') {
                read_byte(&reader, buffer[i]);
                continue;
            }
            goes_on = visit(&reader.line, context);
            reader = (line_reader){.field = IN_START};
        }
    gp_system(close, file);
    return count >= 0;
}

// struct procmap_query of linux/fs.h, which older headers lack.
typedef struct {
    uint64_t size, flags, address, start, end, rights, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
} query;

static const unsigned query_number = 0xc0686611;  // PROCMAP_QUERY: _IOWR('f', 17, query)

// Kernels from 6.11 on find it without writing all others down. Negative: this one cannot.
static int ask_kernel(uintptr_t address, gp_mapping *mapping) {
    const int file = open_list();
    query question = {.size = sizeof question, .address = address};
    const long answer = file < 0 ? file : gp_system(ioctl, file, query_number, &question);
    if (file >= 0)
        gp_system(close, file);
    if (answer < 0)
        return answer == -ENOENT && file >= 0 ? 0 : -1;
    *mapping = (gp_mapping){question.start, question.end};
    return 1;
}

typedef struct {
    uintptr_t address;
    gp_mapping found;  // empty: none yet
} search;

static bool look_at(const gp_mapping_line *line, void *context) {
    search *wanted = context;
    if (wanted->address >= line->range.start && wanted->address < line->range.end)
        wanted->found = line->range;
    return wanted->address >= line->range.end;
}

bool gp_mapping_containing(uintptr_t address, gp_mapping *mapping) {
    const int answer = ask_kernel(address, mapping);
    if (answer >= 0)
        return answer > 0;
    search wanted = {.address = address};
    gp_mappings_each(look_at, &wanted);
    *mapping = wanted.found;
    return wanted.found.end != 0;
}

_Static_assert(RLIM_INFINITY == UINT64_MAX, "no limit");

static uint64_t limit_on(int resource) {
    struct rlimit limit;
    return gp_system(prlimit64, 0, resource, NULL, &limit) < 0 ? UINT64_MAX : limit.rlim_cur;
}

uint64_t gp_address_space_limit(void) {
    return limit_on(RLIMIT_AS);
}

uint64_t gp_memory_limit(void) {
    const uint64_t addresses = limit_on(RLIMIT_AS), data = limit_on(RLIMIT_DATA);
    return addresses < data ? addresses : data;
}
