// The runtime's layout, tried on an object that the runtime itself makes, counts and destroys.
#include "TraceFormat.h"
#include "mapping.h"
#include "live_table.h"
#include "metadata.h"
#include "reference_counts.h"
#include "swift_types.h"
#include "word.h"

// Of the runtime; resolved by the loader, none of them takes a lock but the allocator's.
extern void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask) __attribute__((weak));
extern void swift_deallocObject(void *object, size_t size, size_t alignment_mask) __attribute__((weak));
extern void *swift_retain(void *object) __attribute__((weak));
extern void swift_release(void *object) __attribute__((weak));
extern void *swift_unownedRetain(void *object) __attribute__((weak));
extern void swift_unownedRelease(void *object) __attribute__((weak));
extern void *swift_weakInit(void *slot, void *object) __attribute__((weak));
extern void swift_weakDestroy(void *slot) __attribute__((weak));

enum { SIZE = 32, ALIGNMENT_MASK = 15 };

static bool destroyed;

__attribute__((swiftcall)) static void destroy(__attribute__((swift_context)) void *object) {
    destroyed = true;
    swift_deallocObject(object, SIZE, ALIGNMENT_MASK);
}

typedef struct {
    __attribute__((swiftcall)) void (*destroy)(__attribute__((swift_context)) void *object);
    const void *value_witnesses;
    uintptr_t kind;
    uint32_t first_capture, reserved;
    const void *captures;
} context_metadata;

// The metadata of a closure context as the compiler emits it: the runtime finds the destroyer in the word before the
// value witness table. Filled in for the check alone: no word of this image shall look like metadata afterwards.
static context_metadata metadata;

static bool has_counts(const void *object, uint32_t strong, uint32_t unowned, uint32_t weak) {
    gp_reference_counts counts = gp_reference_counts_of((uintptr_t)object);
    return counts.strong == strong && counts.unowned == unowned && counts.weak == weak && !counts.deiniting &&
           !counts.immortal && counts.has_side_table == (weak > 0);
}

// Counts in a side table are believed where the table of living blocks knows it.
static bool are_stored(uintptr_t object) {
    gp_block block;
    const uintptr_t table = gp_side_table_of(object);
    return gp_live_get(object, &block) && (table == 0 || gp_live_get(table, &block));
}

static const char *complaint_about(void *object) {
    if (gp_type_kind(gp_word_at((uintptr_t)object), SIZE) != GP_TYPE_LOCAL) {
        return "The closure contexts of this Swift runtime are laid out differently from Swift 6.3.";
    }
    bool made = has_counts(object, 1, 0, 0);
    swift_retain(object);
    swift_unownedRetain(object);
    bool counted = has_counts(object, 2, 1, 0);
    uintptr_t slot[2] = {0};
    swift_weakInit(slot, object);
    bool stored = are_stored((uintptr_t)object);
    bool weakly = has_counts(object, 2, 1, 1) && slot[0] == gp_side_table_of((uintptr_t)object) &&
                  gp_word_at(slot[0]) == (uintptr_t)object;
    swift_weakDestroy(slot);
    swift_unownedRelease(object);
    swift_release(object);
    if (!made || !counted) {
        return "The reference counts of this Swift runtime are laid out differently from Swift 6.3.";
    }
    if (!weakly && !stored) {
        return gp_memory_is_limited()
                   ? "The program's memory is limited (ulimit -d, ulimit -v): there is no room for the table of live "
                     "blocks."
                   : "The Swift runtime's allocations do not reach the recorder: another malloc stands before it.";
    }
    return weakly ? NULL : "The weak references of this Swift runtime are laid out differently from Swift 6.3.";
}

const char *gp_runtime_object_check(void) {
    if (swift_allocObject == NULL || swift_deallocObject == NULL || swift_retain == NULL || swift_release == NULL ||
        swift_unownedRetain == NULL || swift_unownedRelease == NULL || swift_weakInit == NULL ||
        swift_weakDestroy == NULL) {
        return NULL;
    }
    metadata = (context_metadata){.destroy = destroy, .kind = GP_KIND_LOCAL, .first_capture = GP_OBJECT_HEADER};
    void *object = swift_allocObject(&metadata.kind, SIZE, ALIGNMENT_MASK);
    const char *complaint = complaint_about(object);
    swift_release(object);
    metadata = (context_metadata){0};
    if (complaint == NULL && !destroyed) {
        return "The heap metadata of this Swift runtime is laid out differently from Swift 6.3.";
    }
    return complaint;
}
