// Programs that this process is about to run. As inheritance.h: nothing here allocates, locks or sets errno.
#ifndef GP_PROGRAM_FILE_H
#define GP_PROGRAM_FILE_H

#include <stdbool.h>
#include <stddef.h>

// Finds `name` as execvp does. False: there is no program of that name that could be run.
bool gp_program_find(const char *name, bool searches, char *path, size_t capacity);

// Why the recorder cannot enter the program at `path`, as the end of a sentence (“is fully static”); NULL: it can.
// Of a script that is asked of its interpreter.
const char *gp_program_refusal(const char *path);

#endif
