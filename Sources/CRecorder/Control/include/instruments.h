// The instruments, each named once.
#pragma once

#include "instrument.h"

enum { GP_INSTRUMENT_COUNT = 8 };

extern const gp_instrument *const gp_instruments[GP_INSTRUMENT_COUNT];

// Lets every instrument and the unwinder know of the recording's threads. Before the first of them.
void gp_instruments_observe_threads(void);

// Of every instrument, in the order of the list: what instrument.h says of them. `instruments`: GP_INSTRUMENT_*; `options`:
// of each, in that order too.
void gp_instruments_start(struct gp_thread *thread, uint32_t instruments, const char *const *options);
void gp_instruments_prepare(struct gp_thread *thread, uint32_t instruments, const char *const *options);
void gp_instruments_thread_begins(void);
void gp_instruments_finish(struct gp_thread *thread);
void gp_instruments_snapshot(struct gp_thread *thread, const char *name);
bool gp_instruments_flush(struct gp_thread *thread);
