// Slots of objects that unowned references pin, found by address.
#include "hooks.h"
#include "live_entry.h"
#include "../../../Sources/Recorder/Zombies/poison.h"
#include "../../../Sources/Recorder/Zombies/quarantine.h"
#include "../../../Sources/Recorder/Zombies/unowned_kept.h"
#include "../../../Sources/Recorder/Zombies/quarantine.h"
#include "Check.h"
#include "recording_state.h"
#include "reference_counts.h"
#include "swift_types.h"
#include "thread.h"
#include "zombies.h"

// What the object's death needs of the recorder.
gp_recording_page gp_recording = {.state = GP_RECORDING_ON};
__thread gp_thread *gp_thread_here;
_Atomic(gp_live_region *) gp_live_regions[GP_REGION_COUNT];
gp_zombie_options gp_zombie_asked = {.keep_going = true};
uintptr_t gp_slots_base, gp_slots_size, gp_guard_start, gp_guard_size;
gp_quarantine_slot *gp_slots;
static uint32_t stack;
static gp_hook_receiver *deinited;

gp_thread *gp_thread_make(void) {
    static gp_thread thread = {.id = 7};
    return gp_thread_here = &thread;
}
const char *gp_hooks_place(uint32_t set, gp_hook_receiver *receiver) {
    deinited = receiver;
    return set == 1 << GP_HOOK_DEALLOCATE ? NULL : "another set";
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
gp_quarantine_slot *gp_quarantine_slot_at(uint32_t number) {
    return &gp_slots[number];
}
uint32_t gp_quarantine_first_unowned_kept(void) {
    return 0;
}

static uintptr_t object[8] __attribute__((aligned(16)));

static void dies(uint32_t at) {
    stack = at;
    deinited((uintptr_t)object, 0, GP_HOOK_DEALLOCATE, 0, 0, 0);
}

int main(void) {
    gp_unowned_kept_prepare();
    gp_slots = calloc(GP_UNOWNED_KEPT_MOST, sizeof *gp_slots);
    gp_live_regions[(uintptr_t)object >> GP_REGION_BITS] = calloc(1, sizeof(gp_live_region));
    *gp_live_find((uintptr_t)object) = gp_live_pack(sizeof object, 1, 0);
    CHECK(!gp_unowned_slot((uintptr_t)object));
    dies(11);
    CHECK(gp_unowned_slot((uintptr_t)object)->deallocated == 11);
    // Its free was not seen.
    dies(12);
    CHECK(gp_unowned_slot((uintptr_t)object)->deallocated == 12);
    CHECK(gp_unowned_kept_count == 1);
    gp_quarantine_slot dead = {.address = (uintptr_t)object};
    gp_unowned_kept_freed(&dead);
    CHECK(dead.deallocated == 12);
    CHECK(gp_unowned_kept_count == 0 && !gp_unowned_slot((uintptr_t)object));
    dies(13);
    CHECK(gp_unowned_slot((uintptr_t)object)->deallocated == 13);
    printf("passed\n");
}
