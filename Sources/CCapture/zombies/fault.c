#include "fault.h"

#include <stdint.h>
#include <ucontext.h>

#include "../runtime/metadata.h"
#include "guard_pages.h"
#include "../hooks/hooks.h"
#include "images.h"
#include "layout.h"
#include "options.h"
#include "quarantine.h"
#include "recording.h"
#include "references.h"
#include "stack.h"
#include "../recorder/careful_read.h"
#include "../recorder/system.h"
#include "thread.h"
#include "touched.h"
#include "zombie_record.h"

enum { PAGE_FAULT_WRITE = 2 };

// The stack of the fault. An interrupted address is looked up as the return address one byte behind it. After a jump to
// a dead address the caller's is on the stack.
static uint32_t stack_of(gp_thread *thread, const greg_t *registers, uintptr_t touched) {
    gp_registers start = {
        .pc = (uintptr_t)registers[REG_RIP] + 1,
        .sp = (uintptr_t)registers[REG_RSP],
        .fp = (uintptr_t)registers[REG_RBP],
    };
    if ((uintptr_t)registers[REG_RIP] == touched) {
        gp_careful_read(start.sp, &start.pc, sizeof start.pc);
        start.sp += 8;
    }
    return gp_stack_id(thread, start);
}

// Registers that hold the poisoned first word get the type's metadata: the program goes on as if the object lived.
static bool restore_metadata(greg_t *registers, uint32_t number, uintptr_t metadata) {
    bool found = false;
    for (int i = 0; i < GP_REGISTERS_USED; i++) {
        if ((uintptr_t)registers[gp_registers_used[i]] == gp_poison_metadata(number)) {
            registers[gp_registers_used[i]] = (greg_t)metadata;
            found = true;
        }
    }
    return found;
}

// Puts a side table where the poisoned count says there is one: with counts so high that the object never dies again.
static bool make_side_table(uint32_t number, uintptr_t object) {
    uintptr_t table = gp_grave_start(number) + GP_GRAVE_COUNTS, page = table & ~(uintptr_t)4095;
    if (gp_system(mprotect, page, 4096, PROT_READ | PROT_WRITE) < 0)
        return false;
    gp_side_table_fill(table, object, (gp_reference_counts){.strong = 1 << 28, .unowned = 1 << 20, .weak = 1 << 20});
    return true;
}

static bool goes_on(gp_touch touch, const gp_grave *grave, greg_t *registers) {
    if (!gp_zombie_asked.keep_going || !grave->type)
        return false;
    switch (touch.part) {
    case GP_TOUCHED_METADATA:
        return restore_metadata(registers, touch.grave, grave->metadata);
    case GP_TOUCHED_COUNTS:
        return make_side_table(touch.grave, grave->address);
    default:
        return false;
    }
}

static bool poisoned(gp_thread *thread, uintptr_t address, greg_t *registers) {
    gp_touch touch = gp_touch_of(address);
    gp_grave *grave = gp_quarantine_grave(touch.grave);
    if (!grave || !grave->address)
        return false;
    bool continues = goes_on(touch, grave, registers);
    gp_zombie_use use = {
        .access = touch.part == GP_TOUCHED_METADATA ? GP_ACCESS_METADATA
                  : touch.part == GP_TOUCHED_COUNTS ? GP_ACCESS_COUNT
                                                    : GP_ACCESS_FOLLOWED,
        .flags = continues ? GP_ZOMBIE_CONTINUED : 0,
        .offset = touch.offset,
        .or_behind = touch.part == GP_TOUCHED_WORD && gp_poison_is_shared((size_t)touch.offset / 8, grave->size / 8),
        .fault = address,
        .pc = (uintptr_t)registers[REG_RIP],
        .stack = stack_of(thread, registers, address),
    };
    uintptr_t slot = grave->metadata + (uintptr_t)touch.offset;
    if (touch.part == GP_TOUCHED_METADATA) {
        // In a block that was no object, the first word is a word like any other.
        if (!grave->type)
            use = (gp_zombie_use){
                .access = GP_ACCESS_FOLLOWED, .flags = use.flags, .fault = use.fault, .pc = use.pc, .stack = use.stack};
        else if (slot % 8 == 0 && (gp_address_is_readable_image(slot, 8) || gp_metadata_is_readable(slot)))
            use.member = *(uintptr_t *)slot;
    } else if (touch.part == GP_TOUCHED_COUNTS && !grave->type) {
        use.access = GP_ACCESS_FOLLOWED;
    }
    gp_image_find(thread, use.member);
    gp_zombie_report(thread, grave, &use);
    if (continues)
        grave->flags |= GP_ZOMBIE_CONTINUED;
    return continues;
}

static void guarded(gp_thread *thread, uintptr_t address, const greg_t *registers) {
    gp_grave *grave = gp_guard_grave(address);
    if (!grave || grave->state != GP_GUARD_DEAD)
        return;
    bool writes = registers[REG_ERR] & PAGE_FAULT_WRITE;
    gp_zombie_report(thread, grave,
                     &(gp_zombie_use){
                         .access = writes ? GP_ACCESS_WRITE : GP_ACCESS_READ,
                         .offset = (int64_t)(address - grave->address),
                         .fault = address,
                         .pc = (uintptr_t)registers[REG_RIP],
                         .stack = stack_of(thread, registers, address),
                     });
}

// Whoever handles the crash (Swift's crash reporter) reads around in memory and meets dead blocks too.
static bool crashing;

void gp_fault_expect_crash(void) {
    __atomic_store_n(&crashing, true, __ATOMIC_RELAXED);
}

bool gp_fault_seen(siginfo_t *info, void *context) {
    // One that was sent has no address.
    if (info->si_code <= 0)
        return false;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t instead = gp_hook_instead_of((uintptr_t)registers[REG_RIP]);
    if (instead) {
        registers[REG_RIP] = (greg_t)instead;
        return true;
    }
    uintptr_t address = gp_touched_address(info, registers);
    if (!address || !gp_recording_is_on() || __atomic_load_n(&crashing, __ATOMIC_RELAXED))
        return false;
    gp_thread *thread = gp_thread_current();
    if (!thread || thread->busy)
        return false;
    thread->busy = true;
    bool continues = false;
    if (gp_in_graves(address))
        continues = poisoned(thread, address, registers);
    else
        guarded(thread, address, registers);
    if (!continues) {
        __atomic_store_n(&crashing, true, __ATOMIC_RELAXED);
        gp_zombie_write_summary(thread);
    }
    thread->busy = false;
    return continues;
}

bool gp_fault_ends(siginfo_t *info, void *context) {
    (void)info, (void)context;
    gp_thread *thread = gp_recording_is_on() ? gp_thread_current() : NULL;
    if (!thread || thread->busy || __atomic_exchange_n(&crashing, true, __ATOMIC_RELAXED))
        return false;
    thread->busy = true;
    gp_quarantine_inspect(thread);
    gp_zombie_write_summary(thread);
    thread->busy = false;
    return false;
}
