// Paths of files under /proc, made without the C library's formatting, which is not for signal handlers.
#pragma once

#include <stdint.h>
#include <string.h>

#include "words.h"

enum { GP_PROC_PATH = 64 };

// Stores `before`, the number and `after`, which have room in GP_PROC_PATH bytes.
static inline void gp_proc_path(char path[GP_PROC_PATH], const char *before, uint32_t number, const char *after) {
    strcpy(path, before);
    char *end = path + strlen(before);
    strcpy(end + gp_number_write(end, number), after);
}
