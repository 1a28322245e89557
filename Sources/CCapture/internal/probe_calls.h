// The recorder's side of probes and of what else the program says of itself.
#ifndef GP_PROBE_CALLS_H
#define GP_PROBE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CCapture.h"

struct gp_thread;

// Whether the processor's time stamp counter runs at one speed and never stops.
bool gp_probes_read_tsc(void);

// Remembers what the clock of probes shows as recording begins.
void gp_probes_begin(void);

// Relates the clock of probes to time once more, if there were probes. Before the recording ends.
void gp_probes_finish(struct gp_thread *thread);

// What gp_probe_room and gp_probe_intern of Probes.h promise. `here`: of the calling thread, in the copy that is linked.
gp_probe *gp_probes_room(gp_probe_thread *here, const uint8_t *name, size_t length, uint32_t cells);
const uint8_t *gp_probes_intern(const uint8_t *text, size_t length);

// How many ticks of the clock of probes so many nanoseconds last. 0: nothing is recorded.
uint64_t gp_probes_ticks_in(uint64_t nanoseconds);

// Writes a line of the program's debug log.
void gp_probes_log(const char *file, uint32_t line, const char *message, size_t length);

// What gp_mark, gp_expect_deallocated and gp_unmet_expectations of CCapture.h promise.
bool gp_probes_mark(const char *name);
size_t gp_probes_unmet(gp_unmet_expectation *list, size_t capacity);
bool gp_probes_expect(const void *object, const char *file, uint32_t line);

#endif
