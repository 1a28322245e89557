#include "touched.h"

#include <stdbool.h>

#include "guard_pages.h"
#include "layout.h"

const int gp_registers_used[GP_REGISTERS_USED] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_R8,
                                                  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

static const uintptr_t address_bits = ((uintptr_t)1 << 47) - 1;

// Whether the address fills a dead block as it is.
static bool is_filling(uintptr_t address) {
    if (!gp_in_graves(address))
        return false;
    gp_touch touch = gp_touch_of(address);
    switch (touch.part) {
    case GP_TOUCHED_METADATA:
        return touch.offset == 0;
    case GP_TOUCHED_COUNTS:
        return address == gp_grave_start(touch.grave) + GP_GRAVE_COUNTS;
    default:
        return address == gp_poison_word(touch.grave, (size_t)touch.offset / 8);
    }
}

static bool is_word(uintptr_t address) {
    return is_filling(address) && gp_touch_of(address).part == GP_TOUCHED_WORD;
}

static bool is_same_word(uintptr_t one, uintptr_t other) {
    gp_touch first = gp_touch_of(one), second = gp_touch_of(other);
    return first.grave == second.grave && first.part == second.part &&
           (first.part != GP_TOUCHED_WORD || first.offset == second.offset);
}

// The word nearest below `limit` that a register holds, with bits of its own above the address. 0: none does.
static uintptr_t word_below(uintptr_t limit, const greg_t *registers) {
    uintptr_t nearest = 0;
    for (int i = 0; i < GP_REGISTERS_USED; i++) {
        uintptr_t word = (uintptr_t)registers[gp_registers_used[i]] & address_bits;
        if (word > nearest && word <= limit && is_word(word))
            nearest = word;
    }
    return nearest;
}

// An address far behind the one that a dead block was filled with lies in the stretch of another word, or in another
// grave. The register that it was reached from tells.
static uintptr_t reached_from(uintptr_t address, const greg_t *registers) {
    for (int i = 0; i < GP_REGISTERS_USED; i++) {
        uintptr_t filling = (uintptr_t)registers[gp_registers_used[i]] & address_bits;
        if (is_filling(filling) && is_same_word(filling, address))
            return address;
    }
    uintptr_t word = word_below(address, registers);
    return word ? word : address;
}

// An address with bits above the 47th faults without being told: a register has it, or the second word of a block that
// was no object.
static uintptr_t untold(const greg_t *registers) {
    uintptr_t word = word_below(address_bits, registers);
    for (int i = 0; i < GP_REGISTERS_USED && !word; i++) {
        uintptr_t value = (uintptr_t)registers[gp_registers_used[i]], table = value << 3;
        if (is_filling(table) && value == gp_poison_counts(gp_touch_of(table).grave))
            word = table;
        else if (gp_in_graves(value & address_bits))
            word = value & address_bits;
    }
    return word;
}

uintptr_t gp_touched_address(const siginfo_t *info, const greg_t *registers) {
    if (info->si_code == SI_KERNEL)
        return untold(registers);
    uintptr_t address = (uintptr_t)info->si_addr;
    if (gp_in_graves(address) && (uintptr_t)registers[REG_RIP] != address)
        return reached_from(address, registers);
    if (gp_in_graves(address) || gp_guard_holds(address))
        return address;
    // A fault elsewhere while a word of a dead block is in a register: a count or an index that was read from it led there.
    return word_below(address_bits, registers);
}
