// The instruments, each named once.
#pragma once

#include "instrument.h"

// In the order in which they are called. What is sampled is decided first. Zombies prepare before the sampler: a fault in its
// handler is looked at too.
#define GP_EACH_TAKING_PART(_)                                                                                         \
    _(sampled_blocks)                                                                                                  \
    _(object_list)                                                                                                     \
    _(leaks)                                                                                                           \
    _(live_heap)                                                                                                       \
    _(zombies)                                                                                                         \
    _(retains)                                                                                                         \
    _(reference_counting)                                                                                              \
    _(time)                                                                                                            \
    _(probes)                                                                                                          \
    _(leak_search)                                                                                                     \
    _(guarded_samples)                                                                                                 \
    _(failing)                                                                                                         \
    _(files)

#define GP_INSTRUMENT_ONE(name) +1
enum { GP_INSTRUMENT_COUNT = GP_EACH_TAKING_PART(GP_INSTRUMENT_ONE) };
#undef GP_INSTRUMENT_ONE

extern const gp_instrument *const gp_instruments[GP_INSTRUMENT_COUNT];

// What a list of names ("allocations,leaks") asks for, with what is recorded along with it: GP_INSTRUMENT_*. Words that name
// no instrument are left out, and `*knows_all` becomes false.
uint32_t gp_instruments_named(const char *list, bool *knows_all);

// The instruments, GP_INSTRUMENT_*, with those that are recorded along with them.
uint32_t gp_instruments_with(uint32_t instruments);

// Why these cannot be recorded together, or not any more; NULL: they can.
const char *gp_instruments_exclusion(uint32_t instruments);
const char *gp_instruments_too_late(uint32_t instruments);

// Those that need it: GP_INSTRUMENT_*.
uint32_t gp_instruments_needing(gp_need need);

// Those that a snapshot may be asked of while the program runs.
uint32_t gp_instruments_of_snapshots(void);

// Calls `refuse` for each that finds nothing in this process.
void gp_instruments_refuse(struct gp_thread *thread, uint32_t instruments,
                           void (*refuse)(struct gp_thread *thread, uint32_t refused, const char *reason));

// Whether all blocks are known.
bool gp_instruments_know_blocks(void);

// Lets every instrument and the unwinder know of the recording's threads. Before the first of them.
void gp_instruments_observe_threads(void);

// Of every instrument, in the order of the list: what instrument.h says of them. `instruments`: GP_INSTRUMENT_*; `options`:
// of each, in that order too.
void gp_instruments_start(struct gp_thread *thread, uint32_t instruments, const char *const *options);
void gp_instruments_prepare(struct gp_thread *thread, uint32_t instruments, const char *const *options);
void gp_instruments_wait(const char *const *options);
void gp_instruments_thread_begins(void);
uint64_t gp_instruments_signals(void);
void gp_instruments_finish(struct gp_thread *thread);
bool gp_instruments_snapshot(struct gp_thread *thread, uint8_t flags, const char *name);
void gp_instruments_crash(struct gp_thread *thread, uint32_t instruments, const void *context);
void gp_instruments_end(struct gp_thread *thread, uint32_t instruments, bool may_look);
bool gp_instruments_flush(struct gp_thread *thread);
