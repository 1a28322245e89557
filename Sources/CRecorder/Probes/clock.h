// Relating the clock of probes to the time of the recording.
#pragma once

#include <stdbool.h>

struct gp_thread;

// Writes a GP_CLOCK, unless one was written within the last 10 ms and it need not be `now`.
void gp_probe_clock_write(struct gp_thread *thread, bool now);
