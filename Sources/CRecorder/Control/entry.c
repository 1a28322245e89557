// Where probes that were inlined into the program find the recorder: of the copy that is linked.
#include "Probes.h"

#include "system.h"
#include "recorder.h"

#ifndef GP_PRELOADED

static const uint32_t off;

__thread gp_probe_thread gp_probe_here __attribute__((tls_model("initial-exec")));
const volatile uint32_t *gp_probe_switch = &off;
bool gp_probe_reads_tsc;

static void __attribute__((constructor(101))) find_recorder(void) {
    const gp_recorder *recorder = gp_recorder_here();
    gp_probe_reads_tsc = recorder->reads_tsc();
    gp_probe_switch = recorder->state;
}

gp_probe *gp_probe_room(const uint8_t *name, size_t length, uint32_t cells) {
    return gp_recorder_here()->probe_room(&gp_probe_here, name, length, cells);
}

const uint8_t *gp_probe_intern(const uint8_t *text, size_t length) {
    return gp_recorder_here()->probe_intern(text, length);
}

void gp_probe_lasted(const uint8_t *name, size_t length, uint64_t nanoseconds) {
    if (!name || !gp_probe_is_on())
        return;
    uint64_t now = gp_probe_ticks(), ticks = gp_recorder_here()->ticks_in(nanoseconds);
    gp_probe *cells = gp_probe_place(name, length, 2);
    if (!cells)
        return;
    gp_probe_fill(cells, GP_PROBE_BEGIN, name, ticks < now ? now - ticks : 0);
    gp_probe_fill(cells + 1, GP_PROBE_END, name, now);
    gp_probe_commit(cells + 1);
}

void gp_log(const char *file, uint32_t line, const char *message, size_t length) {
    gp_recorder_here()->log(file, line, message, length);
}

uint32_t gp_kernel_thread(void) {
    return (uint32_t)gp_system(gettid, 0);
}

bool gp_mark(const char *name) {
    return gp_recorder_here()->mark(name);
}

size_t gp_unmet_expectations(gp_unmet_expectation *list, size_t capacity) {
    return gp_recorder_here()->unmet(list, capacity);
}

bool gp_expect_deallocated(const void *object, const char *file, uint32_t line) {
    return gp_recorder_here()->expect(object, file, line);
}

#endif
