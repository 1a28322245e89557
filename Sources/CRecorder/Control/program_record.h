// What the trace says of the program as a whole.
#pragma once

#include <stdint.h>

struct gp_thread;

// GP_PROGRAM: executable, arguments, instruments.
void gp_program_write(struct gp_thread *thread, uint32_t instruments);

// GP_PROGRAM_EXIT and the names of all threads that still run.
void gp_program_write_exit(struct gp_thread *thread, int status);
