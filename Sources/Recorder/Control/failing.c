#include "failing.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/auxv.h>

#include "TraceFormat.h"
#include "alloc_hooks.h"
#include "images.h"
#include "instrument.h"
#include "preloaded_copy.h"
#include "read_clock.h"
#include "recording.h"
#include "stack.h"
#include "thread.h"
#include "trace_writer.h"
#include "words.h"

enum { CALLERS = 64 };

bool gp_failing_is_armed;
static uint64_t chosen;  // which is to fail, 0: none
static _Atomic uint64_t counted;
static _Atomic bool has_begun;  // main
static bool (*of_preloaded_copy)(void);

void gp_failing_main_begins(void) {
    atomic_store(&has_begun, true);
}

__attribute__((visibility("default"))) bool gp_main_has_begun(void) {
    return atomic_load(&has_begun);
}

static bool is_main_running(void) {
    return of_preloaded_copy ? of_preloaded_copy() : atomic_load(&has_begun);
}

static bool is_of_runtime(const gp_image_info *image) {
    return gp_image_is_called(image, "libswift") || gp_image_is_called(image, "libstdc++.so") ||
           gp_image_is_called(image, "libc++.so");
}

// The innermost image that is no runtime's is the one that asks.
static bool is_of_program(gp_thread *thread, gp_registers caller) {
    const gp_image_info *const program = gp_image_find(thread, getauxval(AT_ENTRY));
    const gp_image_info *image = gp_image_find(thread, caller.pc);
    if (!image || !is_of_runtime(image))
        return image && image == program;
    uintptr_t pcs[CALLERS];
    const size_t count = gp_stack_unwind(caller, pcs, NULL, CALLERS);
    for (size_t i = 1; i < count && image && is_of_runtime(image); i++)
        image = gp_image_find(thread, pcs[i]);
    return image && image == program;
}

static void note(gp_thread *thread, uint64_t size, uint32_t stack, bool failed) {
    gp_failed_alloc record = {
        .header = {.kind = GP_FAILED_ALLOC, .flags = failed},
        .time_ns = gp_now_ns(),
        .number = failed ? chosen : atomic_load(&counted),
        .size = size,
        .stack = stack,
    };
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

bool gp_allocation_fails(size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_thread *thread = gp_recording_is_on() && is_main_running() ? gp_thread_enter() : NULL;
    if (!thread)
        return false;
    const gp_registers caller = {pc, sp, fp, 0};
    const bool fails = is_of_program(thread, caller) && atomic_fetch_add(&counted, 1) + 1 == chosen;
    if (fails) {
        gp_failing_is_armed = false;
        note(thread, size, gp_stack_id(thread, caller), true);
    }
    gp_thread_leave(thread);
    if (!fails)
        return false;
    gp_allocator_choose();
    errno = ENOMEM;
    return true;
}

static void start(gp_thread *thread, const char *options) {
    (void)thread;
    chosen = options ? gp_number_at(options) : 0;
    gp_failing_is_armed = chosen > 0;
}

// Without a preloaded copy main is not seen to begin: then what comes from here on counts.
static void prepare(gp_thread *thread, const char *options) {
    (void)thread;
    (void)options;
#ifndef GP_PRELOADED
    if (gp_failing_is_armed && !(of_preloaded_copy = GP_OF_PRELOADED_COPY(gp_main_has_begun)))
        gp_failing_main_begins();
#endif
}

static void end(gp_thread *thread, bool may_look) {
    (void)may_look;
    if (gp_failing_is_armed)
        note(thread, 0, 0, false);
}

const gp_instrument gp_failing_instrument = {
    .variable = "GAMEPROF_FAIL_ALLOCATION",
    .start = start,
    .prepare = prepare,
    .end = end,
};
