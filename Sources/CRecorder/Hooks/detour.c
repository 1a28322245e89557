#include "detour.h"

#include <string.h>

#include "arch.h"
#include "code.h"
#include "system.h"

// A slot: a jump to the hook, and behind it the function's first instructions with a jump to what follows them.
enum { MOVED_AT = 16, MOVED_MOST = GP_DETOUR_SLOT - MOVED_AT - GP_CODE_FAR_JUMP, PAGE = GP_PAGE };
enum { REACH = 1 << 30, STEP = 1 << 24 };

bool gp_detours_open(gp_detours *detours, uintptr_t function) {
    uintptr_t around = function & ~(uintptr_t)(STEP - 1);
    for (uintptr_t distance = STEP; distance < REACH; distance += STEP) {
        for (int side = 0; side < 2; side++) {
            uintptr_t wanted = side ? around + distance : around - distance;
            long page = gp_system(mmap, wanted, GP_DETOUR_PAGE, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            if (page == (long)wanted) {
                *detours = (gp_detours){.page = (uint8_t *)page};
                return true;
            }
            if (page > 0)
                gp_system(munmap, page, GP_DETOUR_PAGE);
        }
    }
    return false;
}

uintptr_t gp_detour_prepare(gp_detours *detours, uintptr_t function, uintptr_t hook) {
    if (detours->used + GP_DETOUR_SLOT > GP_DETOUR_PAGE)
        return 0;
    uint8_t *slot = detours->page + detours->used;
    int64_t distance = (int64_t)((uintptr_t)slot - function);
    if (distance != (int32_t)distance)
        return 0;
    size_t moved = gp_code_move(slot + MOVED_AT, (const uint8_t *)function, MOVED_MOST);
    if (!moved)
        return 0;
    gp_code_write_far_jump(slot, hook);
    gp_code_write_far_jump(slot + MOVED_AT + moved, function + moved);
    detours->used += GP_DETOUR_SLOT;
    return (uintptr_t)slot + MOVED_AT;
}

bool gp_detours_close(gp_detours *detours) {
    return gp_system(mprotect, detours->page, GP_DETOUR_PAGE, PROT_READ | PROT_EXEC) == 0;
}

// Other processors see the jump as a whole where it lies in eight bytes together, as it does at the beginning of a function.
static void write_at_once(uintptr_t place, const uint8_t jump[GP_CODE_NEAR_JUMP]) {
    uintptr_t word = place & ~(uintptr_t)7;
    if (place - word + GP_CODE_NEAR_JUMP > sizeof(uint64_t)) {
        memcpy((void *)place, jump, GP_CODE_NEAR_JUMP);
        return;
    }
    uint64_t code = __atomic_load_n((uint64_t *)word, __ATOMIC_RELAXED);
    memcpy((uint8_t *)&code + (place - word), jump, GP_CODE_NEAR_JUMP);
    __atomic_store_n((uint64_t *)word, code, __ATOMIC_SEQ_CST);
}

bool gp_detour_place(uintptr_t original, uintptr_t function) {
    uint8_t jump[GP_CODE_NEAR_JUMP];
    if (!gp_code_near_jump(jump, function, original - MOVED_AT))
        return false;
    uintptr_t first = function & ~(uintptr_t)(PAGE - 1),
              last = (function + GP_CODE_NEAR_JUMP - 1) & ~(uintptr_t)(PAGE - 1);
    size_t size = last - first + PAGE;
    if (gp_system(mprotect, first, size, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
        return false;
    write_at_once(function, jump);
    gp_system(mprotect, first, size, PROT_READ | PROT_EXEC);
    return true;
}
