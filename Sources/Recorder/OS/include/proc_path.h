// Small files, those under /proc above all: their paths and texts, without the C library, which is not for signal handlers.
#pragma once

#include <stdint.h>
#include <string.h>

#include "system.h"
#include "words.h"

enum { GP_PROC_PATH = 64 };

// Stores `before`, the number and `after`, which have room in GP_PROC_PATH bytes.
static inline void gp_proc_path(char path[GP_PROC_PATH], const char *before, uint32_t number, const char *after) {
    strcpy(path, before);
    char *end = path + strlen(before);
    strcpy(end + gp_number_write(end, number), after);
}

// The beginning of a file as a text, closed with a NUL. Returns its length; 0: it cannot be read.
static inline size_t gp_read_text(const char *path, char *text, size_t capacity) {
    const long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    const long length = file < 0 ? 0 : gp_system(read, file, text, capacity - 1);
    if (file >= 0)
        gp_system(close, file);
    text[length > 0 ? length : 0] = 0;
    return length > 0 ? (size_t)length : 0;
}

// The same of a file in a folder, whose name begins with a slash.
static inline size_t gp_read_text_in(const char *folder, const char *name, char *text, size_t capacity) {
    char path[4096] = "";
    if (strlen(folder) + strlen(name) < sizeof path)
        strcat(strcpy(path, folder), name);
    return gp_read_text(path, text, capacity);
}
