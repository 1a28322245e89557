// What the trace says of the program and of the machine.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct gp_thread;

// GP_PROGRAM: executable, arguments, instruments. `is_late`: it ran before the recording.
void gp_program_write(struct gp_thread *thread, uint32_t instruments, bool is_late);

// GP_THREAD_NAME of all threads that still run. Async-signal-safe.
void gp_program_write_thread_names(struct gp_thread *thread);

// GP_PROGRAM_EXIT and the names of all threads that still run. `status`: as of gp_recording_finish.
void gp_program_write_exit(struct gp_thread *thread, int status, uint64_t ended);

// GP_ENVIRONMENT: what can be found out of the machine, its system and the versions of runtime and recorder.
void gp_machine_write(struct gp_thread *thread);

// GP_ENVIRONMENT of a process that was made by fork: how much of its memory it still shares, and how much is its own. Some ms for a
// gibibyte in memory.
void gp_machine_write_sharing(struct gp_thread *thread);
