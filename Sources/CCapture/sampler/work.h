// What a sampled thread works on: a task that has a name, else a queue of libdispatch's that has a label.
#ifndef GP_SAMPLER_WORK_H
#define GP_SAMPLER_WORK_H

#include <stdint.h>

#include "TraceFormat.h"

enum { GP_WORK_NAME_BYTES = 128 };

typedef struct {
    uint8_t kind;  // GP_WORK_*
    char name[GP_WORK_NAME_BYTES];  // NUL-terminated; empty for GP_WORK_UNKNOWN
} gp_work_label;

// Finds where the runtime and libdispatch keep it. Takes the loader's lock: when sampling starts, not in a handler.
void gp_work_prepare(void);

// Of the calling thread, whose kernel thread id is `thread`. A few system calls where it has a name.
// Async-signal-safe.
void gp_work_here(uint32_t thread, gp_work_label *label);

#endif
