// Programs that this process is about to run. As exec_environment.h: nothing here allocates, locks or sets errno.
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

enum { GP_SEGMENTS_MOST = 64 };

// Room for what would be too much for a small stack.
typedef struct {
    char path[4096];
    char note_path[4096];
    char line[1024];
    Elf64_Phdr segments[GP_SEGMENTS_MOST];
} gp_program_room;

// Finds `name` as execvp does. False: there is no program of that name that could be run.
bool gp_program_find(const char *name, bool searches, char *path, size_t capacity);

// Why the recorder cannot enter the program at `path`, as the end of a sentence (“is fully static”); NULL: it can.
// Of a script that is asked of its interpreter.
const char *gp_program_refusal(const char *path, gp_program_room *room);
