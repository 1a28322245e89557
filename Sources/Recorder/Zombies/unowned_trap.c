// The runtime refuses to load an unowned reference to an object whose deinit ran and aborts. The sentence that it wrote and the
// object stand on the stack of the functions that abort, or in the registers that these keep.
#include <string.h>

#include "arch.h"
#include "safe_read.h"
#include "live_entry.h"
#include "stack_reads.h"
#include "fault.h"
#include "unowned_kept.h"
#include "quarantine.h"
#include "recording_state.h"
#include "reference_counts.h"
#include "signal_chain.h"
#include "swift_types.h"
#include "thread.h"
#include "zombie_record.h"
#include "zombies.h"

enum { WORDS_SEARCHED = 256 };

static gp_live_entry entry_of(uintptr_t object) {
    gp_live_entry *place = object >= 65536 ? gp_live_find(object) : NULL;
    return place && (*place & GP_ENTRY_PRESENT) ? *place : 0;
}

// Whether it is an object whose deinit has begun: only unowned references keep its memory then. Fills `slot`.
static bool is_deinited(gp_thread *thread, uintptr_t object, gp_quarantine_slot *slot) {
    gp_live_entry entry = entry_of(object);
    uint64_t size = entry ? gp_live_size(entry, object) : 0;
    uint32_t type = size >= 16 ? gp_type_id(thread, *(uintptr_t *)object, size) : 0;
    if (!type)
        return false;
    if (!gp_reference_counts_of(object).deiniting)
        return false;
    *slot = (gp_quarantine_slot){
        .address = object,
        .size = size,
        .type = type,
        .allocated = gp_live_stack(entry),
        .flags = GP_ZOMBIE_PINNED | GP_ZOMBIE_NO_DEATH,
    };
    return true;
}

// The runtime's sentence, with the object's address or before it was put in.
static bool is_refusal(uintptr_t text) {
    static const char words[] = "Fatal error: Attempted to read an unowned reference";
    char start[sizeof words - 1];
    return gp_safe_read(text, start, sizeof start) && memcmp(start, words, sizeof start) == 0;
}

// False: it is not that what makes the program abort.
static bool report(gp_thread *thread, gp_registers caller, const uintptr_t *words, const uintptr_t *end) {
    bool refused = false;
    for (const uintptr_t *word = words; word < end && !refused; word++)
        refused = is_refusal(*word);
    for (const uintptr_t *word = words; word < end && refused; word++) {
        gp_quarantine_slot unknown;
        if (!is_deinited(thread, *word, &unknown))
            continue;
        gp_quarantine_slot *known = gp_unowned_slot(*word);
        gp_zombie_report(thread, known ? known : &unknown,
                         &(gp_zombie_use){.access = GP_ACCESS_UNOWNED, .stack = gp_stack_id(thread, caller)});
        gp_revival_note(known ? known : &unknown);
        gp_fault_expect_crash();
        return true;
    }
    return false;
}

// Of gp_zombie_aborting.
typedef struct {
    gp_thread *thread;
    gp_registers caller;
    const uintptr_t *words, *end;
} aborting_call;

static void inspect(void *argument) {
    const aborting_call *call = argument;
    if (!report(call->thread, call->caller, call->words, call->end))
        gp_quarantine_inspect(call->thread);
    gp_zombie_write_summary(call->thread);
}

__attribute__((noinline)) void gp_zombie_aborting(gp_registers caller) {
    __builtin_unwind_init();  // every preserved register now lies in this frame
    gp_thread *thread = gp_zombies_on && gp_recording_is_on() ? gp_thread_enter() : NULL;
    uintptr_t low = (uintptr_t)__builtin_frame_address(0) - 64, high = caller.sp + WORDS_SEARCHED * sizeof(uintptr_t);
    if (!thread)
        return;
    gp_stack_reads reads = gp_stack_reads_at(thread, caller.sp);
    if (high > reads.high && !gp_stack_reads_extend(&reads, high - 1))
        high = reads.high;
    gp_call_with_room(
        inspect, &(aborting_call){thread, caller, (const uintptr_t *)(low & ~(uintptr_t)7), (const uintptr_t *)high});
    gp_thread_leave(thread);
}
