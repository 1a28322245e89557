#include "exec_environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch.h"
#include "system.h"

enum { GP_INTERPRETERS_MOST = 4 };

static bool is_regular(const char *path) {
    struct stat status;
    return gp_system(newfstatat, AT_FDCWD, path, &status, 0) == 0 && S_ISREG(status.st_mode);
}

static bool can_run(const char *path) {
    return is_regular(path) && gp_system(faccessat, AT_FDCWD, path, X_OK) == 0;
}

static bool join(const char *folder, size_t length, const char *name, char *path, size_t capacity) {
    size_t name_length = strlen(name);
    if (length + name_length + 2 > capacity)
        return false;
    memcpy(path, folder, length);
    if (length > 0)
        path[length++] = '/';
    memcpy(path + length, name, name_length + 1);
    return true;
}

bool gp_program_find(const char *name, bool searches, char *path, size_t capacity) {
    if (!name || !*name)
        return false;
    if (!searches || strchr(name, '/'))
        return join("", 0, name, path, capacity) && can_run(path);
    const char *folders = getenv("PATH");
    for (const char *folder = folders ? folders : "/bin:/usr/bin";; folder++) {
        size_t length = strcspn(folder, ":");
        if (join(folder, length, name, path, capacity) && can_run(path))
            return true;
        folder += length;
        if (!*folder)
            return false;
    }
}

static size_t read_at(long file, void *bytes, size_t size, uint64_t offset) {
    long count = gp_system(pread64, file, bytes, size, offset);
    return count > 0 ? (size_t)count : 0;
}

static const char *refusal_of_elf(long file, const Elf64_Ehdr *header, gp_program_room *room) {
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != GP_ELF_MACHINE)
        return "is not a 64-bit program of this processor";
    Elf64_Phdr *segments = room->segments;
    size_t count = header->e_phnum < GP_SEGMENTS_MOST ? header->e_phnum : GP_SEGMENTS_MOST;
    count = read_at(file, segments, count * sizeof *segments, header->e_phoff) / sizeof *segments;
    for (size_t i = 0; i < count; i++) {
        if (segments[i].p_type != PT_INTERP)
            continue;
        char loader[256];
        size_t length = read_at(file, loader, sizeof loader - 1, segments[i].p_offset);
        loader[length < segments[i].p_filesz ? length : segments[i].p_filesz] = 0;
        return strstr(loader, GP_LOADER_NAME) ? NULL : "runs on another C library than glibc";
    }
    return "is fully static";
}

// The interpreter that a script names; false: it is none.
static bool interpreter_of(const char *start, size_t length, char *interpreter, size_t capacity) {
    if (length < 3 || start[0] != '#' || start[1] != '!')
        return false;
    const char *name = start + 2, *end = start + length;
    while (name < end && (*name == ' ' || *name == '\t'))
        name++;
    size_t count = 0;
    while (name + count < end && count + 1 < capacity && !strchr(" \t\n", name[count]))
        count++;
    memcpy(interpreter, name, count);
    interpreter[count] = 0;
    return count > 0;
}

const char *gp_program_refusal(const char *path, gp_program_room *room) {
    char interpreter[256];
    for (int depth = 0; depth < GP_INTERPRETERS_MOST; depth++) {
        // A device would do something at being opened. And a file may be run without being readable.
        long file = is_regular(path) ? gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
        if (file < 0)
            return NULL;
        struct stat status;
        union {
            char text[256];
            Elf64_Ehdr header;
        } start;
        size_t length = read_at(file, &start, sizeof start, 0);
        const char *refusal = NULL;
        bool is_elf = length >= sizeof start.header && memcmp(start.text, ELFMAG, SELFMAG) == 0;
        if (is_elf && gp_system(fstat, file, &status) == 0 && status.st_mode & (S_ISUID | S_ISGID))
            refusal = "is setuid or setgid";
        else if (is_elf)
            refusal = refusal_of_elf(file, &start.header, room);
        gp_system(close, file);
        if (is_elf || !interpreter_of(start.text, length, interpreter, sizeof interpreter))
            return refusal;
        path = interpreter;
    }
    return NULL;
}
