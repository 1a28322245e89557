// The recorder's side of probes and of what else the program says of itself.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CCapture.h"
#include "instrument.h"

struct gp_thread;

// Whether the processor's time stamp counter runs at one speed and never stops.
bool gp_probes_read_tsc(void);

// Relates the clock of probes to time.
extern const gp_instrument gp_probes_instrument;

// What gp_probe_room and gp_probe_intern of Probes.h promise. `here`: of the calling thread, in the copy that is linked.
gp_probe *gp_probes_room(gp_probe_thread *here, const uint8_t *name, size_t length, uint32_t cells);
const uint8_t *gp_probes_intern(const uint8_t *text, size_t length);

// How many ticks of the clock of probes so many nanoseconds last. 0: nothing is recorded.
uint64_t gp_probes_ticks_in(uint64_t nanoseconds);

// Writes a line of the program's debug log.
void gp_probes_log(const char *file, uint32_t line, const char *message, size_t length);
