// Graves of objects that unowned references pin, found by address.
#include "../../Sources/CCapture/hooks/hooks.h"
#include "../../Sources/CCapture/recorder/live_entry.h"
#include "../../Sources/CCapture/zombies/layout.h"
#include "../../Sources/CCapture/zombies/options.h"
#include "../../Sources/CCapture/zombies/pinned.h"
#include "../../Sources/CCapture/zombies/quarantine.h"
#include "Check.h"
#include "recording.h"
#include "references.h"
#include "swift_types.h"
#include "thread.h"
#include "zombies.h"

// What the object's death needs of the recorder.
gp_recording_page gp_recording = {.state = GP_RECORDING_ON};
__thread gp_thread *gp_thread_here;
_Atomic(gp_live_region *) gp_live_regions[GP_REGION_COUNT];
gp_zombie_options gp_zombie_asked = {.keep_going = true};
uintptr_t gp_graves_base, gp_graves_size;
gp_grave *gp_graves;
static uint32_t stack;

bool gp_recording_decide(void) {
    return false;
}
gp_thread *gp_thread_make(void) {
    static gp_thread thread = {.id = 7};
    return gp_thread_here = &thread;
}
const char *gp_hooks_place(uint32_t set) {
    (void)set;
    return NULL;
}
gp_reference_counts gp_reference_counts_of(uintptr_t object) {
    (void)object;
    return (gp_reference_counts){.unowned = 1};
}
uint32_t gp_type_id(struct gp_thread *thread, uintptr_t metadata, size_t size) {
    (void)thread, (void)metadata, (void)size;
    return 1;
}
uint32_t gp_stack_id(struct gp_thread *thread, gp_registers start) {
    (void)thread, (void)start;
    return stack;
}
uint64_t gp_now_ns(void) {
    return 1;
}
size_t gp_live_usable_size(uintptr_t address) {
    (void)address;
    return 0;
}
gp_grave *gp_quarantine_grave(uint32_t number) {
    return &gp_graves[number];
}
uint32_t gp_quarantine_first_pinned(void) {
    return 0;
}

static uintptr_t object[8] __attribute__((aligned(16)));

static void dies(uint32_t at) {
    stack = at;
    gp_zombie_deinited((uintptr_t)object, (gp_registers){0});
}

int main(void) {
    gp_graves = calloc(GP_PINNED_MOST, sizeof *gp_graves);
    gp_live_regions[(uintptr_t)object >> GP_REGION_BITS] = calloc(1, sizeof(gp_live_region));
    *gp_live_find((uintptr_t)object) = gp_live_pack(sizeof object, 1, 0);
    CHECK(!gp_pinned_grave((uintptr_t)object));
    dies(11);
    CHECK(gp_pinned_grave((uintptr_t)object)->deallocated == 11);
    // Its free was not seen.
    dies(12);
    CHECK(gp_pinned_grave((uintptr_t)object)->deallocated == 12);
    CHECK(gp_pinned_count == 1);
    gp_grave dead = {.address = (uintptr_t)object};
    gp_pinned_freed(&dead);
    CHECK(dead.deallocated == 12);
    CHECK(gp_pinned_count == 0 && !gp_pinned_grave((uintptr_t)object));
    dies(13);
    CHECK(gp_pinned_grave((uintptr_t)object)->deallocated == 13);
    printf("passed\n");
}
