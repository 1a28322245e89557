// The recorder's side of probes and of what else the program says of itself.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRecorderInterface.h"

struct gp_thread;

// Whether the processor's time stamp counter runs at one speed and never stops.
bool gp_probes_read_tsc(void);

// How many ticks of the clock of probes so many nanoseconds last. 0: nothing is recorded.
uint64_t gp_probes_ticks_in(uint64_t nanoseconds);

// Relating the clock of probes to the time of the recording.

// Writes a GP_CLOCK, unless one was written within the last 10 ms and it need not be `now`.
void gp_probe_clock_write(struct gp_thread *thread, bool now);

// The names of probes: each has a number, by the address of its text, and the trace says each once.

// The number of a name. At its first sight writes its GP_PROBE_NAME. 0: there are more names than the recorder keeps, or
// `name` is NULL for that reason; the loss is reported.
uint32_t gp_probe_number(struct gp_thread *thread, const uint8_t *name, size_t length);

// A recording begins: writes the names that an earlier one has met.
void gp_probe_names_write_again(struct gp_thread *thread);
