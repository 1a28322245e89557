#if defined(__aarch64__)

#include "code.h"

#include <string.h>

enum { STORE_RECORD = 0xa9807bfd, SET_FP = 0x910003fd, RETURN = 0xd65f03c0, PAGE = 4096 };

static uint32_t at(const uint8_t *code) {
    uint32_t instruction;
    memcpy(&instruction, code, sizeof instruction);
    return instruction;
}

// The lowest `bits` from bit `low` on, signed.
static intptr_t number(uint32_t instruction, unsigned low, unsigned bits) {
    return (intptr_t)((int64_t)((uint64_t)instruction << (64 - low - bits)) >> (64 - bits));
}

static bool stores_record(uint32_t instruction) {  // stp x29, x30, [sp, #…]!
    return (instruction & 0xffc07fff) == STORE_RECORD;
}

static bool is_hint(uint32_t instruction) {  // paciasp, bti c
    return instruction == 0xd503233f || instruction == 0xd503245f;
}

gp_code_place gp_code_place_of(const uint8_t *pc) {
    const uint32_t here = at(pc);
    if (here == RETURN || stores_record(here) || (is_hint(here) && stores_record(at(pc + 4))))
        return GP_CODE_WITHOUT_FRAME;
    return stores_record(at(pc - 4)) && here == SET_FP ? GP_CODE_FRAME_BEGUN : GP_CODE_INSIDE;
}

gp_code_call gp_code_call_before(const uint8_t *behind) {
    const uint32_t call = at(behind - 4);
    if (call >> 26 == 0x25)  // bl
        return (gp_code_call){GP_CALL_DIRECT, (uintptr_t)behind - 4 + (uintptr_t)(number(call, 0, 26) * 4)};
    return (gp_code_call){(call & 0xfffffc1f) == 0xd63f0000 ? GP_CALL_INDIRECT : GP_CALL_NONE, 0};  // blr
}

// [bti c]; adrp x16, …; ldr x17, [x16, …].
uintptr_t gp_code_link_word(const uint8_t *code) {
    if (is_hint(at(code)))
        code += 4;
    const uint32_t page = at(code), load = at(code + 4);
    if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
        return 0;
    const intptr_t pages = number(page, 5, 19) * 4 + (page >> 29 & 3);
    return ((uintptr_t)code & ~(uintptr_t)(PAGE - 1)) + (uintptr_t)(pages * PAGE) + (load >> 10 & 0xfff) * 8;
}

long gp_code_system_call_number(uintptr_t pc, const uintptr_t *registers) {
    enum { NUMBER = 8 };  // x8, which the call leaves as it was
    return gp_code_is_behind_system_call(pc) ? (long)registers[NUMBER] : -1;
}

bool gp_code_is_given_call_number(uintptr_t pc) {
    (void)pc;
    return false;
}

bool gp_code_is_behind_system_call(uintptr_t pc) {
    return pc % PAGE >= GP_CALL_BYTES && gp_code_calls_system((const uint8_t *)pc - GP_CALL_BYTES);
}

bool gp_code_is_at_system_call(uintptr_t pc) {
    return pc % 4 == 0 && gp_code_calls_system((const uint8_t *)pc);
}

// Not read yet.
bool gp_code_thread_local_getter(const uint8_t *code, uintptr_t *index, intptr_t *offset) {
    (void)code, (void)index, (void)offset;
    return false;
}

// One instruction: it means the same elsewhere, or names a page, which a slot near it reaches too. Not one that indirect calls
// have to find where they arrive (bti, paciasp), nor another that branches or reads at a distance.
size_t gp_code_move(uint8_t *to, const uint8_t *from, size_t capacity) {
    uint32_t code = at(from);
    const bool is_branch_or_hint = (code & 0x1c000000) == 0x14000000, reads_near = (code & 0x3b000000) == 0x18000000,
               names_place = (code & 0x1f000000) == 0x10000000;
    if (capacity < sizeof code || is_branch_or_hint || reads_near)
        return 0;
    if (names_place) {
        const intptr_t pages =
            number(code, 5, 19) * 4 + (code >> 29 & 3) + ((intptr_t)from / PAGE - (intptr_t)to / PAGE);
        if (!(code >> 31) || pages != number((uint32_t)pages, 0, 21))
            return 0;
        code = (code & 0x9f00001f) | ((uint32_t)pages & 3) << 29 | ((uint32_t)pages >> 2 & 0x7ffff) << 5;
    }
    memcpy(to, &code, sizeof code);
    return sizeof code;
}

// ldr x16, …; br x16; the address.
void gp_code_write_far_jump(uint8_t *place, uintptr_t target) {
    const uint32_t code[] = {0x58000050, 0xd61f0200};
    memcpy(place, code, sizeof code);
    memcpy(place + sizeof code, &target, sizeof target);
}

bool gp_code_near_jump(uint8_t jump[GP_CODE_NEAR_JUMP], uintptr_t place, uintptr_t target) {
    const int64_t distance = (int64_t)(target - place);
    const uint32_t code = 0x14000000 | ((uint32_t)(distance >> 2) & 0x3ffffff);
    memcpy(jump, &code, sizeof code);
    return distance >= -GP_CODE_REACH && distance < GP_CODE_REACH;
}

#endif
