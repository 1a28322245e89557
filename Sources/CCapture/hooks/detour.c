#include "detour.h"

#include <string.h>

#include "../recorder/system.h"

// A slot: a jump to the hook, and behind it the function's first instructions with a jump to what follows them.
enum { JUMP_NEAR = 5, JUMP_FAR = 14, MOVED_AT = 16, MOVED_MOST = GP_DETOUR_SLOT - MOVED_AT - JUMP_FAR, PAGE = 4096 };
enum { REACH = 1 << 30, STEP = 1 << 24 };

// One instruction that means the same elsewhere, once `displacement` bytes from its beginning are corrected.
typedef struct {
    size_t length;  // 0: another instruction
    size_t displacement;  // 0: none
} instruction;

static instruction decode(const uint8_t *code) {
    bool wide = (code[0] & 0xf8) == 0x48;  // REX.W
    if ((code[0] & 0xf8) == 0x50)
        return (instruction){1, 0};  // push
    if (code[0] == 0x41 && (code[1] & 0xf8) == 0x50)
        return (instruction){2, 0};  // push r8…r15
    if (memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0)
        return (instruction){4, 0};  // endbr64
    if ((code[0] == 0x89 || code[0] == 0x85 || code[0] == 0x31) && code[1] >= 0xc0)
        return (instruction){2, 0};  // mov, test, xor of registers
    if (wide && (code[1] == 0x89 || code[1] == 0x85) && code[2] >= 0xc0)
        return (instruction){3, 0};
    if (code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xec)
        return (instruction){4, 0};  // sub from rsp
    if (code[0] == 0x0f && code[1] == 0xb6 && (code[2] & 0xc7) == 0x05)
        return (instruction){7, 3};  // movzbl of a global
    if (wide && code[1] == 0x8b && (code[2] & 0xc7) == 0x05)
        return (instruction){7, 3};  // mov of a global
    return (instruction){0};
}

// Copies whole instructions that make room for a near jump. Returns their bytes, 0: one cannot be moved.
static size_t move(uint8_t *to, const uint8_t *from) {
    size_t moved = 0;
    while (moved < JUMP_NEAR) {
        instruction next = decode(from + moved);
        if (next.length == 0 || moved + next.length > MOVED_MOST)
            return 0;
        memcpy(to + moved, from + moved, next.length);
        if (next.displacement) {
            int32_t displacement;
            memcpy(&displacement, from + moved + next.displacement, sizeof displacement);
            int64_t corrected = displacement + (from - to);
            displacement = (int32_t)corrected;
            if (displacement != corrected)
                return 0;
            memcpy(to + moved + next.displacement, &displacement, sizeof displacement);
        }
        moved += next.length;
    }
    return moved;
}

// jmp *0(%rip), and the address behind it.
static void write_far_jump(uint8_t *place, uintptr_t target) {
    memcpy(place, "\xff\x25\0\0\0\0", 6);
    memcpy(place + 6, &target, sizeof target);
}

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
    size_t moved = move(slot + MOVED_AT, (const uint8_t *)function);
    if (!moved)
        return 0;
    write_far_jump(slot, hook);
    write_far_jump(slot + MOVED_AT + moved, function + moved);
    detours->used += GP_DETOUR_SLOT;
    return (uintptr_t)slot + MOVED_AT;
}

bool gp_detours_close(gp_detours *detours) {
    return gp_system(mprotect, detours->page, GP_DETOUR_PAGE, PROT_READ | PROT_EXEC) == 0;
}

bool gp_detour_place(uintptr_t original, uintptr_t function) {
    uint8_t jump[JUMP_NEAR] = {0xe9};
    int32_t distance = (int32_t)(original - MOVED_AT - (function + JUMP_NEAR));
    memcpy(jump + 1, &distance, sizeof distance);
    uintptr_t first = function & ~(uintptr_t)(PAGE - 1), last = (function + JUMP_NEAR - 1) & ~(uintptr_t)(PAGE - 1);
    size_t size = last - first + PAGE;
    if (gp_system(mprotect, first, size, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
        return false;
    memcpy((void *)function, jump, sizeof jump);
    gp_system(mprotect, first, size, PROT_READ | PROT_EXEC);
    return true;
}
