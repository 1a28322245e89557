#include "fault.h"

#include <sys/mman.h>

#include "arch.h"
#include "guard_pages.h"
#include "live_table.h"
#include "reference_counts.h"
#include "system.h"

enum { HEADER = 16, WORD = sizeof(size_t), IN_USE = 1 };

// Its address is a complement: in a linked recorder this is a variable of the program's.
static gp_quarantine_slot used = {.address = UINTPTR_MAX};

// What the allocator says of a block stands in front of it, on a guarded block's page or on the one before.
static bool is_made_writable(uintptr_t address) {
    if (!gp_guard_holds(address))
        return true;
    const uintptr_t first = (address - WORD) & -(uintptr_t)GP_GUARD_PAGE;
    const uintptr_t end = (address & -(uintptr_t)GP_GUARD_PAGE) + GP_GUARD_PAGE;
    if (gp_system(mprotect, first, end - first, PROT_READ | PROT_WRITE) < 0)
        return false;
    *(size_t *)(address - WORD) = (used.size + WORD + HEADER - 1) / HEADER * HEADER | IN_USE;
    return true;
}

static uintptr_t used_dead(bool revives) {
    const uintptr_t address = ~used.address;
    gp_block block;
    // An object that unowned references keep is a live block still.
    if (!revives || !address || used.size < HEADER || gp_live_get(address, &block) || !is_made_writable(address))
        return used.address + 1 ? used.address : 0;
    *(uintptr_t *)address = used.metadata;
    gp_object_counts_fill(address, (gp_reference_counts){.strong = 1, .unowned = 1});
    gp_live_put(address, used.size, used.allocated, 0);
    return used.address;
}

void gp_revival_note(const gp_quarantine_slot *slot) {
    if (!slot->type)
        return;
    used = *slot;
    used.address = ~slot->address;
    gp_live_used_dead = used_dead;
}
