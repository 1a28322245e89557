// How much of the process lies in the machine's memory, over time. One system call each time, on a descriptor that was
// opened before the program ran: none of the program's descriptors takes another number.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "slow_path.h"

struct gp_thread;

extern _Atomic uint64_t gp_resident_due_ns;

// Begins. Without /proc nothing is written.
void gp_resident_open(void);

// Writes a last GP_RESIDENT and ends.
void gp_resident_close(struct gp_thread *thread, uint64_t now_ns);

GP_SLOW_PATH void gp_resident_write(struct gp_thread *thread, uint64_t now_ns);

// Writes a GP_RESIDENT if the last one of the process is 10 ms old. Async-signal-safe.
static inline void gp_resident_note(struct gp_thread *thread, uint64_t now_ns) {
    if (now_ns >= atomic_load_explicit(&gp_resident_due_ns, memory_order_relaxed))
        gp_resident_write(thread, now_ns);
}
