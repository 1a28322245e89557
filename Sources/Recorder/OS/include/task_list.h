// The kernel's list of this process's threads, and others of its lists of numbers, read without allocating.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"

// Calls `visit` with each entry of the folder that is a number; stops when it returns false. False: it cannot be read.
bool gp_numbers_each(const char *folder, bool (*visit)(uint32_t number, void *context), void *context);

// Calls `visit` with each thread id; stops when it returns false. False: /proc cannot be read.
bool gp_task_each(bool (*visit)(uint32_t id, void *context), void *context);

// Why the list cannot be read now, as the end of a sentence.
const char *gp_task_list_obstacle(void);

// Whether the thread is gone, a zombie, an emulator's, or one in which the kernel does the work of an io_uring: it runs none of the
// program's code and will never answer a signal.
bool gp_task_has_ended(uint32_t id);

// What the kernel says of a thread of this process, read from /proc without allocating.

typedef struct {
    char state;  // R runs, S sleeps, D waits for a disk …
    bool is_kernels;  // it does the work of an io_uring, and runs none of the program's code
    uint64_t system_ns;  // in steps of 10 ms
    uint64_t start_ns;  // since the machine started, in steps of 10 ms
} gp_task_stat;

// False: the thread has ended.
bool gp_task_stat_read(uint32_t thread, gp_task_stat *stat);

// How long a thread has waited for a processor, ready to run, since it began. 0: the kernel does not say it. Takes microseconds.
uint64_t gp_task_unscheduled_ns(uint32_t thread);

// A file below /proc/self/task/THREAD, read into `text` and closed with a NUL. How many bytes, 0: it cannot be read.
long gp_task_file_read(uint32_t thread, const char *name, char *text, long capacity);

// The system call in which a thread waits.
typedef struct {
    long number;  // −1: in none
    uintptr_t arguments[GP_CALL_ARGUMENTS], sp, pc;  // pc 0: it is not known where
} gp_task_call;

// Reads the system call in which a thread of this process waits. False: it runs, or the kernel does not say it.
bool gp_task_call_read(uint32_t thread, gp_task_call *call);

// How many seccomp filters decide on the calling thread's system calls. 0 also without /proc.
uint32_t gp_task_call_filters(void);

// Remembers how many there are before the program's code runs: those of whoever started it.
void gp_task_note_filters(void);

// Whether the program has set a filter since: it may end the process for a call that the program does without.
bool gp_task_has_new_filter(void);
