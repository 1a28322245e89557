// What the ticks of probes are in time.
#include "probe_calls.h"

#include <stdatomic.h>
#include <time.h>

#include "arch.h"
#include "Probes.h"
#include "instrument.h"
#include "TraceFormat.h"
#include "read_clock.h"
#include "thread.h"
#include "trace_writer.h"

enum { GP_CLOCK_TRIES = 4, GP_CLOCK_REST_NS = 10000000 };

typedef struct {
    uint64_t ticks, ns;
} gp_clock_pair;

static gp_clock_pair start;
static _Atomic uint64_t written_ns;
static _Atomic bool start_written;

// Asked once: under a hypervisor the answer takes microseconds.
bool gp_probes_read_tsc(void) {
    enum { UNKNOWN, NO, YES };
    static _Atomic uint8_t known;
    if (atomic_load_explicit(&known, memory_order_relaxed) == UNKNOWN) {
        atomic_store(&known, gp_ticks_are_steady() ? YES : NO);
    }
    return atomic_load_explicit(&known, memory_order_relaxed) == YES;
}

uint64_t gp_probe_monotonic(void) {
    return gp_read_clock(CLOCK_MONOTONIC);
}

static uint64_t ticks_now(bool tsc) {
    return tsc ? gp_ticks() : gp_probe_monotonic();
}

// Both clocks at one moment: of a few readings the one that took the least time.
static gp_clock_pair read_pair(void) {
    bool tsc = gp_probes_read_tsc();
    gp_clock_pair best = {0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < GP_CLOCK_TRIES; i++) {
        uint64_t before = ticks_now(tsc), ns = gp_now_ns(), after = ticks_now(tsc);
        if (after - before < least) {
            least = after - before;
            best = (gp_clock_pair){before + least / 2, ns};
        }
    }
    return best;
}

static void write_pair(gp_thread *thread, gp_clock_pair pair) {
    gp_clock record = {.header = {.kind = GP_CLOCK, .flags = gp_probes_read_tsc() ? GP_CLOCK_TSC : GP_CLOCK_MONOTONIC},
                       .ticks = pair.ticks,
                       .ns = pair.ns};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

static void remember_start(gp_thread *thread, const char *options) {
    (void)options;
    start = read_pair();
    atomic_store(&start_written, false);
    atomic_store(&written_ns, 0);
    gp_probe_names_write_again(thread);
}

void gp_probe_clock_write(gp_thread *thread, bool now) {
    uint64_t last = atomic_load(&written_ns);
    if (!now && last && gp_now_ns() - last < GP_CLOCK_REST_NS)
        return;
    gp_clock_pair pair = read_pair();
    atomic_store(&written_ns, pair.ns);
    if (!atomic_exchange(&start_written, true))
        write_pair(thread, start);
    write_pair(thread, pair);
}

uint64_t gp_probes_ticks_in(uint64_t nanoseconds) {
    if (!start.ticks)
        return 0;
    if (!gp_probes_read_tsc())
        return nanoseconds;
    gp_clock_pair now = read_pair();
    if (now.ns <= start.ns)
        return 0;
    return (uint64_t)((double)nanoseconds * (double)(now.ticks - start.ticks) / (double)(now.ns - start.ns));
}

// Relates the clock to time once more, if there were probes.
static bool flush(gp_thread *thread) {
    if (atomic_load(&start_written))
        gp_probe_clock_write(thread, true);
    return true;
}

// Relates the clock of probes to time.
const gp_instrument gp_probes_instrument = {.start = remember_start, .flush = flush};
