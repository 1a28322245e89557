#include "zombie_record.h"

#include <stdatomic.h>
#include <string.h>

#include "CRecorderInterface.h"
#include "fault.h"
#include "guard_pages.h"
#include "thread.h"
#include "trace_writer.h"
#include "swift_types.h"
#include "unowned_kept.h"

enum { REPORTS_OF_ONE = 8, USED_MOST = 256 };

static uint32_t reports;
static _Atomic uint64_t used[USED_MOST];  // metadata plus 1; 0: not yet written
static _Atomic uint32_t used_count;

// Async-signal-safe: who asks sees the objects whose number and class are both there.
static void note_used(uint64_t metadata) {
    const uint32_t number = atomic_fetch_add(&used_count, 1);
    if (number < USED_MOST)
        atomic_store(&used[number], metadata + 1);
}

__attribute__((visibility("default"))) size_t gp_used_zombies(size_t first, uint64_t *metadata, size_t capacity) {
    size_t count = 0;
    for (uint64_t one; count < capacity && first + count < USED_MOST && (one = atomic_load(&used[first + count]));
         count++)
        metadata[count] = one - 1;
    return count;
}

void gp_zombie_report(gp_thread *thread, gp_quarantine_slot *slot, const gp_zombie_use *use) {
    if (slot->reports >= REPORTS_OF_ONE || __atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED) >= GP_REPORTS_MOST)
        return;
    if (slot->reports++ == 0)
        note_used(slot->type ? slot->metadata : 0);
    bool is_word =
        !use->or_behind && use->access != GP_ACCESS_METADATA && use->access != GP_ACCESS_COUNT && use->offset >= 16;
    const char *field = is_word && slot->type ? gp_field_name(slot->metadata, (uint32_t)use->offset) : NULL;
    gp_zombie record = {
        .header = {.kind = GP_ZOMBIE, .flags = (uint8_t)(slot->flags | use->flags)},
        .object = slot->address,
        .size = slot->size,
        .type = slot->type,
        .allocated = slot->allocated,
        .deallocated = slot->deallocated,
        .used = use->stack,
        .deallocating_thread = slot->thread,
        .using_thread = use->thread ? use->thread : thread->id,
        .deallocated_ns = slot->time_ns,
        .used_ns = use->time_ns ? use->time_ns : gp_now_ns(),
        .fault = use->fault,
        .pc = use->pc,
        .member = use->member,
        .offset = (uint32_t)use->offset,
        .access = use->access,
    };
    gp_write_record(thread, &record, sizeof record, field, field ? strlen(field) : 0);
    // The program may not live until the names of its threads are written.
    for (const gp_thread *other = gp_thread_first(); other; other = other->next)
        if (other->alive && (other->id == record.using_thread || other->id == record.deallocating_thread))
            gp_thread_write_name(thread, other);
}

void gp_zombie_write_summary(gp_thread *thread) {
    gp_first_words_report(thread);
    gp_quarantine_counts counts = gp_quarantine_count();
    gp_guard_counts guards = gp_guard_count();
    gp_zombie_summary record = {
        .header = {.kind = GP_ZOMBIE_SUMMARY, .flags = gp_guard_chooses ? GP_ZOMBIES_CHOSEN : 0},
        .quarantined = counts.quarantined,
        .evicted = counts.evicted,
        .evicted_bytes = counts.evicted_bytes,
        .kept = counts.kept,
        .kept_bytes = counts.kept_bytes,
        .passed_by = counts.passed_by,
        .guarded = guards.guarded,
        .guards_missed = guards.missed,
        .byte_limit = counts.byte_limit,
        .count_limit = counts.count_limit,
        .unowned_kept = gp_unowned_kept_in_all(),
    };
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (guards.reused && !atomic_flag_test_and_set(&reported))
        gp_write_note(thread, "Pages of deallocated objects were reused: later uses of these objects are not detected, "
                              "or are attributed to the next object on the page.");
}
