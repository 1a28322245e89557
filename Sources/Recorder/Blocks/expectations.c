#include "expectations.h"

#include <string.h>

#include "CRecorderInterface.h"
#include "arch.h"
#include "generations.h"
#include "live_entry.h"
#include "spool.h"
#include "TraceFormat.h"
#include "arena.h"
#include "lock.h"
#include "recording_state.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"

enum { EXPECTED_MOST = 4096, FILE_LONGEST = 255, GRACE_NS = 50000000 };

static gp_expected *expected;
static uint32_t count;
static gp_lock lock;  // short: a slot is written, or the list is swept

static uint8_t *age_of(uintptr_t object) {
    gp_live_region *region = gp_live_region_of(object);
    return region ? &region->ages[gp_live_index(object)] : NULL;
}

// A block that is made where the object was has an age of its own.
static bool is_alive(const gp_expected *one) {
    gp_block block;
    const uint8_t *age = age_of(~one->hidden);
    return age && (*age & GP_AGE_EXPECTED) && gp_live_get(~one->hidden, &block);
}

static bool is_due(const gp_expected *one, uint64_t now, uint32_t asking) {
    return is_alive(one) && (one->thread == asking || one->time_ns + GRACE_NS <= now);
}

// The first from `place` on that is due, `count`: none.
static uint32_t next_due(uint32_t place, uint64_t now, uint32_t asking) {
    while (place < count && !is_due(&expected[place], now, asking))
        place++;
    return place;
}

static void sweep(void) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_alive(&expected[i]))
            expected[kept++] = expected[i];
    count = kept;
}

static bool add(gp_expected one) {
    if (!expected)
        expected = gp_arena_allocate(EXPECTED_MOST * sizeof *expected);
    if (count == EXPECTED_MOST)
        sweep();
    if (!expected || count == EXPECTED_MOST)
        return false;
    expected[count++] = one;
    return true;
}

bool gp_expect_deallocated(const void *object, const char *file, uint32_t line) {
    gp_thread *thread = gp_recording_is_on() ? gp_thread_current() : NULL;
    gp_block block;
    uintptr_t address = (uintptr_t)object;
    if (!thread || thread->busy || !gp_live_get(address, &block))
        return false;
    thread->busy = true;
    gp_generations_keep();
    gp_expected one = {.hidden = ~address,
                       .metadata = *(const uintptr_t *)object,
                       .time_ns = gp_now_ns(),
                       .file = file,
                       .line = line,
                       .thread = thread->id};
    gp_lock_enter(&lock);
    uint8_t *age = age_of(address);
    bool is_new = !(*age & GP_AGE_EXPECTED);
    bool added = true;
    if (is_new) {
        *age |= GP_AGE_EXPECTED;
        added = add(one);
    }
    gp_lock_leave(&lock);
    if (!added)
        gp_spool_drop(1);
    gp_thread_leave(thread);
    return added;
}

bool gp_expectations_hold(void) {
    enum { PATIENCE_NS = 100000000 };
    return gp_lock_try(&lock) || gp_lock_wait(&lock, PATIENCE_NS);
}

void gp_expectations_let_go(void) {
    gp_lock_leave(&lock);
}

size_t gp_expectations_unmet(gp_expected *list, size_t capacity, uint64_t now, uint32_t asking) {
    size_t found = 0;
    for (uint32_t i = next_due(0, now, asking); i < count; i = next_due(i + 1, now, asking), found++)
        if (found < capacity)
            list[found] = expected[i];
    return found;
}

size_t gp_unmet_expectations(gp_unmet_expectation *list, size_t capacity) {
    gp_thread *thread = gp_recording_is_on() ? gp_thread_enter() : NULL;
    if (!thread)
        return 0;
    uint64_t now = gp_now_ns();
    size_t found = 0;
    gp_lock_enter(&lock);
    for (uint32_t i = next_due(0, now, thread->id); i < count; i = next_due(i + 1, now, thread->id), found++)
        if (found < capacity)
            list[found] = (gp_unmet_expectation){expected[i].metadata, expected[i].file, expected[i].line};
    gp_lock_leave(&lock);
    gp_thread_leave(thread);
    return found;
}

void gp_expectations_write(struct gp_thread *thread, uint64_t now, uint32_t asking) {
    static gp_expected list[EXPECTED_MOST];
    size_t found = gp_expectations_unmet(list, EXPECTED_MOST, now, asking);
    for (size_t i = 0; i < found; i++) {
        gp_block block;
        if (!gp_live_get(~list[i].hidden, &block))
            continue;
        gp_expectation record = {.header = {.kind = GP_EXPECTATION, .flags = 1},
                                 .object = block.address,
                                 .time_ns = list[i].time_ns,
                                 .type = gp_type_id(thread, *(const uintptr_t *)block.address, block.size),
                                 .stack = block.stack,
                                 .line = list[i].line};
        const char *file = list[i].file;
        gp_write_record(thread, &record, sizeof record, file, file ? strnlen(file, FILE_LONGEST) : 0);
    }
}
