// Which address out of a quarantined block led to a fault.
#include "arch.h"
#include "fault.h"
#include "guard_pages.h"
#include "safe_read.h"
#include "stack.h"

static const uintptr_t address_bits = ((uintptr_t)1 << GP_USER_BITS) - 1;

// Whether the address fills a quarantined block as it is.
static bool is_filling(uintptr_t address) {
    if (!gp_is_poison_address(address))
        return false;
    gp_decoded_fault touch = gp_decode_fault(address);
    switch (touch.part) {
    case GP_FAULT_METADATA:
        return touch.offset == 0;
    case GP_FAULT_COUNTS:
        return address == gp_slot_start(touch.slot) + GP_SLOT_COUNTS;
    default:
        return address == gp_poison_word(touch.slot, (size_t)touch.offset / 8);
    }
}

static bool is_word(uintptr_t address) {
    return is_filling(address) && gp_decode_fault(address).part == GP_FAULT_WORD;
}

static bool is_same_word(uintptr_t one, uintptr_t other) {
    gp_decoded_fault first = gp_decode_fault(one), second = gp_decode_fault(other);
    return first.slot == second.slot && first.part == second.part &&
           (first.part != GP_FAULT_WORD || first.offset == second.offset);
}

// The word nearest below `limit` that a register holds, with bits of its own above the address. 0: none does.
static uintptr_t word_below(uintptr_t limit, const ucontext_t *context) {
    uintptr_t nearest = 0;
    for (int i = 0; i < GP_REGISTER_COUNT; i++) {
        uintptr_t word = gp_context_register(context, i) & address_bits;
        if (word > nearest && word <= limit && is_word(word))
            nearest = word;
    }
    return nearest;
}

// An address far behind the one that a quarantined block was filled with lies in the stretch of another word, or in another
// slot. The register that it was reached from decides.
static uintptr_t reached_from(uintptr_t address, const ucontext_t *context) {
    for (int i = 0; i < GP_REGISTER_COUNT; i++) {
        uintptr_t filling = gp_context_register(context, i) & address_bits;
        if (is_filling(filling) && is_same_word(filling, address))
            return address;
    }
    uintptr_t word = word_below(address, context);
    return word ? word : address;
}

// The kernel does not report an address with bits above the 47th: a register has it, or the second word of a block that
// was no object.
static uintptr_t unreported(const ucontext_t *context) {
    uintptr_t word = word_below(address_bits, context);
    for (int i = 0; i < GP_REGISTER_COUNT && !word; i++) {
        uintptr_t value = gp_context_register(context, i), table = value << 3;
        if (is_filling(table) && value == gp_poison_counts(gp_decode_fault(table).slot))
            word = table;
        else if (gp_is_poison_address(value & address_bits))
            word = value & address_bits;
    }
    return word;
}

// A stack without room: what free left in registers has nothing to do with it.
static bool is_near_stack_pointer(uintptr_t address, const ucontext_t *context) {
    enum { NEAR = 1 << 20 };
    const uintptr_t sp = gp_context_start(context).sp;
    return address - (sp - NEAR) < 2 * NEAR;
}

uintptr_t gp_fault_poison_address(const siginfo_t *info, const ucontext_t *context) {
    if (info->si_code == SI_KERNEL)
        return unreported(context);
    uintptr_t address = (uintptr_t)info->si_addr;
    if (gp_is_poison_address(address) && gp_context_pc(context) != address)
        return reached_from(address, context);
    if (gp_is_poison_address(address) || gp_guard_holds(address))
        return address;
    if (is_near_stack_pointer(address, context))
        return 0;
    // A fault elsewhere while a word of a quarantined block is in a register: a count or an index that was read from it led
    // there.
    return word_below(address_bits, context);
}

uint32_t gp_fault_stack(struct gp_thread *thread, const ucontext_t *context, uintptr_t touched) {
    gp_registers start = gp_context_start(context);
    // Called: where it would return to stands where a function's first instruction has it.
    if (gp_context_pc(context) == touched) {
        uintptr_t caller = gp_code_address(start.link);
        if (GP_ENTRY_CFA == 0 || gp_safe_read(start.sp, &caller, sizeof caller))
            start = (gp_registers){caller, start.sp + GP_ENTRY_CFA, start.fp, 0};
    }
    return gp_stack_id(thread, start);
}
