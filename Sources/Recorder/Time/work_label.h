// What a sampled thread works on: a task that has a name, else a queue of libdispatch's that has a label.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"

enum { GP_WORK_NAME_BYTES = 128 };

typedef struct {
    uint8_t kind;  // GP_WORK_*
    char name[GP_WORK_NAME_BYTES];  // NUL-terminated; of GP_WORK_UNKNOWN it may be that of a queue of the system's
    uintptr_t queue, text;  // the queue and where its label stands, 0: the name is another's, or it was cut
} gp_work_label;

// Finds where the runtime and libdispatch keep it. Takes the loader's lock: when sampling starts, not in a handler.
void gp_work_label_prepare(void);

// Brings `label` up to date for the calling thread, whose kernel thread id is `thread`. True: it has another kind or
// name than before. One system call while the queue stays the same and in a task without a name, a few at another queue and
// in tasks that have names. Async-signal-safe.
bool gp_work_label_changed(uint32_t thread, gp_work_label *label);
