// The names of probes: each has a number, by the address of its text, and the trace says each once.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct gp_thread;

// The number of a name. At its first sight writes its GP_PROBE_NAME. 0: there are more names than the recorder keeps, or
// `name` is NULL for that reason; the loss is reported.
uint32_t gp_probe_number(struct gp_thread *thread, const uint8_t *name, size_t length);
