// The files, sockets and pipes that the program used: each has a number, and the trace says each once.
#pragma once

#include <stdint.h>

struct gp_thread;

enum { GP_FILE_NAME_LONGEST = 4096 };

// The number of the name, 1, 2, 3 …; the first use writes a GP_FILE_NAME. Names beyond those that the recorder keeps have one
// number for each kind. 0: there is no memory. `kind`: GP_FILE_*.
uint32_t gp_file_number(struct gp_thread *thread, uint8_t kind, const char *name);

// The name of a number; NULL: it has none of its own.
const char *gp_file_name_of(uint32_t number);
