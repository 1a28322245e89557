#include "history.h"

#include <stdatomic.h>
#include <string.h>

#include "arch.h"
#include "hooks.h"
#include "alloc_hooks.h"
#include "recording_state.h"
#include "reference_counts.h"
#include "stack.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "tail_caller.h"

// A record is 48 bytes: the history of one run stays below 100 MB.
enum { CHANGES_MOST = 2000000 };

static gp_type_choice followed;
static _Atomic uint32_t changes;

// Counts changes in the record of equal ones, if that is the thread's last and nobody else changed the count since.
static bool join_last(gp_thread *thread, const gp_count_change *more) {
    gp_count_change *last = (gp_count_change *)thread->writer.last;
    if (!last || last->header.kind != GP_COUNT_CHANGE || last->header.flags != more->header.flags ||
        last->object != more->object || last->stack != more->stack || last->thread != more->thread)
        return false;
    struct {
        uint32_t strong, times;
    } both = {.strong = more->strong};
    bool retains = more->header.flags == GP_COUNT_RETAIN;
    if (more->strong != (retains ? last->strong + more->times : last->strong - more->times) ||
        __builtin_add_overflow(last->times, more->times, &both.times))
        return false;
    // In one store: a program that is killed leaves both or neither.
    _Static_assert(offsetof(gp_count_change, times) == offsetof(gp_count_change, strong) + 4, "side by side");
    memcpy(&last->strong, &both, sizeof both);
    return true;
}

static void write(gp_thread *thread, gp_count_change record) {
    record.header.kind = GP_COUNT_CHANGE;
    record.thread = thread->id;
    bool may_join = record.header.flags == GP_COUNT_RETAIN || record.header.flags == GP_COUNT_RELEASE;
    if (may_join && join_last(thread, &record))
        return;
    uint32_t number = atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
    if (number >= CHANGES_MOST) {
        if (number == CHANGES_MOST)
            gp_write_note(
                thread,
                "The history of reference counts was cut off: it has the first 2,000,000 changes, where equal ones in "
                "a row count as one.");
        atomic_store_explicit(&changes, CHANGES_MOST + 1, memory_order_relaxed);
        return;
    }
    record.time_ns = gp_now_ns();
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

static void changed(gp_thread *thread, uintptr_t object, uint32_t type, uint32_t times, uint32_t hook, uint32_t stack) {
    gp_count_change record = {.object = object, .type = type, .stack = stack, .strong = 1, .times = 1};
    if (hook == GP_HOOK_ALLOCATE) {
        record.header.flags = GP_COUNT_BORN;
        write(thread, record);
        return;
    }
    gp_reference_counts counts = gp_reference_counts_of(object);
    if (counts.immortal || (hook == GP_HOOK_TRY_RETAIN && counts.deiniting))
        return;
    bool many = hook == GP_HOOK_RETAIN_N || hook == GP_HOOK_RELEASE_N || hook == GP_HOOK_NONATOMIC_RETAIN_N ||
                hook == GP_HOOK_NONATOMIC_RELEASE_N;
    bool releases = hook == GP_HOOK_RELEASE || hook == GP_HOOK_RELEASE_N || hook == GP_HOOK_NONATOMIC_RELEASE ||
                    hook == GP_HOOK_NONATOMIC_RELEASE_N;
    record.times = many ? times : 1;
    if (record.times == 0)
        return;
    record.header.flags = releases ? GP_COUNT_RELEASE : GP_COUNT_RETAIN;
    uint32_t lost = record.times < counts.strong ? record.times : counts.strong;
    record.strong = releases ? counts.strong - lost : counts.strong + record.times;
    write(thread, record);
}

static uint32_t stack_of(gp_thread *thread, uint32_t hook, gp_registers caller) {
    return gp_stack_with_tail_caller(thread, gp_stack_id(thread, caller), hook, caller.pc);
}

static void count_changes(uintptr_t given, uint32_t times, uint32_t hook, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    const uintptr_t object = given & GP_ADDRESS_BITS;
    gp_thread *thread = object && gp_recording_is_on() ? gp_thread_enter() : NULL;
    if (!thread)
        return;
    uintptr_t metadata = *(uintptr_t *)object;
    uint32_t type = gp_type_id(thread, metadata, SIZE_MAX);
    if (type && gp_type_is_chosen(&followed, type))
        changed(thread, object, type, times, hook, stack_of(thread, hook, (gp_registers){pc, sp, fp, 0}));
    else
        __atomic_store_n(&gp_unfollowed[(metadata >> 3) % GP_UNFOLLOWED], metadata, __ATOMIC_RELAXED);
    gp_thread_leave(thread);
}

static void write_death(gp_thread *thread, uintptr_t object, uint32_t type, uint32_t stack) {
    if (gp_type_is_chosen(&followed, type))
        write(thread, (gp_count_change){
                          .header.flags = GP_COUNT_DIED, .object = object, .type = type, .stack = stack, .times = 1});
}

static void prepare(gp_thread *thread, const char *types) {
    if (!types || !*types)
        return;
    gp_choose_types(&followed, types, strlen(types));
    // All or none: with half of the changes recorded, a matched release would be reported.
    const char *failure = gp_hooks_place(GP_HOOKS_OF_COUNTS, count_changes);
    if (!failure) {
        gp_object_death_observer = write_death;
        return;
    }
    char sentence[256] = "No history of reference counts: ";
    strncat(sentence, failure, sizeof sentence - strlen(sentence) - 1);
    gp_write_note(thread, sentence);
}

const gp_instrument gp_retains_instrument = {.variable = "GAMEPROF_HISTORY", .prepare = prepare};
