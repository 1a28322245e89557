#if defined(__x86_64__)

#include "code.h"

#include <string.h>

enum { PUSH_RBP = 0x55, POP_RBP = 0x5d };

static const uint8_t move_rbp[] = {0x48, 0x89, 0xe5};  // mov %rsp,%rbp
static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};

static bool begins(const uint8_t *code, const uint8_t *with, size_t size) {
    return memcmp(code, with, size) == 0;
}

static bool is_entry(const uint8_t *code) {
    if (begins(code, endbr, sizeof endbr))
        code += sizeof endbr;
    return *code == PUSH_RBP && begins(code + 1, move_rbp, sizeof move_rbp);
}

static bool is_return(const uint8_t *code) {
    return code[0] == 0xc3 || code[0] == 0xc2;
}

// To another function, when it stands behind the last pop: jmp to a distance, through a register or through memory.
static bool is_jump(const uint8_t *code) {
    if (code[0] == 0xe9 || code[0] == 0xeb)
        return true;
    if (code[0] == 0x41)
        code++;
    return code[0] == 0xff && (code[1] >> 3 & 7) == 4;
}

gp_code_place gp_code_place_of(const uint8_t *pc) {
    if (is_entry(pc) || is_return(pc) || (pc[-1] == POP_RBP && is_jump(pc)))
        return GP_CODE_WITHOUT_FRAME;
    return pc[-1] == PUSH_RBP && begins(pc, move_rbp, sizeof move_rbp) ? GP_CODE_FRAME_BEGUN : GP_CODE_INSIDE;
}

// What the last four bytes of the instruction that ends at `end` say of a place.
static uintptr_t place_named_before(const uint8_t *end) {
    int32_t distance;
    memcpy(&distance, end - 4, sizeof distance);
    return (uintptr_t)end + (uintptr_t)(intptr_t)distance;
}

// [endbr64] [bnd] jmp *word(%rip).
uintptr_t gp_code_link_word(const uint8_t *code) {
    if (begins(code, endbr, sizeof endbr))
        code += sizeof endbr;
    if (*code == 0xf2)
        code++;
    return code[0] == 0xff && code[1] == 0x25 ? place_named_before(code + 6) : 0;
}

gp_code_call gp_code_call_before(const uint8_t *behind) {
    if (behind[-5] == 0xe8)
        return (gp_code_call){GP_CALL_DIRECT, place_named_before(behind)};
    if (behind[-6] == 0xff && behind[-5] == 0x15)
        return (gp_code_call){GP_CALL_BY_WORD, place_named_before(behind)};
    for (int length = 2; length <= 7; length++)
        if (behind[-length] == 0xff && (behind[1 - length] >> 3 & 7) == 2)
            return (gp_code_call){GP_CALL_INDIRECT, 0};
    return (gp_code_call){GP_CALL_NONE, 0};
}

// Whether the instruction in front of the system call is this one, of which all but the last byte is known.
static bool calls_system_after(uintptr_t pc, const uint8_t *instruction, size_t known, size_t size) {
    enum { PAGE = 4096 };
    const uint8_t *call = (const uint8_t *)pc - GP_CALL_BYTES;
    return pc % PAGE >= GP_CALL_BYTES + size && gp_code_calls_system(call) && begins(call - size, instruction, known);
}

// The constant that was last moved to eax, or the word on the stack that was moved to rax.
long gp_code_system_call_number(uintptr_t pc, const uintptr_t *registers) {
    enum { MOVE_TO_EAX = 0xb8, MOVE_BYTES = 5, BETWEEN = 5, MOST = 512, PAGE = 4096 };
    static const uint8_t load_rax[] = {0x48, 0x8b, 0x44, 0x24};  // mov …(%rsp),%rax
    const uint8_t *call = (const uint8_t *)pc - GP_CALL_BYTES;
    if (calls_system_after(pc, load_rax, sizeof load_rax, sizeof load_rax + 1)) {
        const uint64_t number = *(const uint64_t *)(registers[GP_REGISTER_SP] + call[-1]);
        return number < MOST ? (long)number : -1;
    }
    if (pc % PAGE < GP_CALL_BYTES + MOVE_BYTES + BETWEEN || !gp_code_calls_system(call))
        return -1;
    for (int between = 0; between <= BETWEEN; between++) {
        const uint8_t *move = call - between - MOVE_BYTES;
        uint32_t number =
            (uint32_t)move[1] | (uint32_t)move[2] << 8 | (uint32_t)move[3] << 16 | (uint32_t)move[4] << 24;
        if (move[0] == MOVE_TO_EAX && number < MOST)
            return number;
    }
    return -1;
}

bool gp_code_is_given_call_number(uintptr_t pc) {
    static const uint8_t store_r11[] = {0x4c, 0x89, 0x5c, 0x24, 0x08};  // mov %r11,8(%rsp), the last of what glibc does
    return calls_system_after(pc, store_r11, sizeof store_r11, sizeof store_r11);
}

bool gp_code_is_behind_system_call(uintptr_t pc) {
    enum { PAGE = 4096 };
    return pc % PAGE >= GP_CALL_BYTES && gp_code_calls_system((const uint8_t *)pc - GP_CALL_BYTES);
}

bool gp_code_is_at_system_call(uintptr_t pc) {
    enum { PAGE = 4096 };
    return pc % PAGE <= PAGE - GP_CALL_BYTES && gp_code_calls_system((const uint8_t *)pc);
}

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

size_t gp_code_move(uint8_t *to, const uint8_t *from, size_t capacity) {
    size_t moved = 0;
    while (moved < GP_CODE_NEAR_JUMP) {
        instruction next = decode(from + moved);
        if (next.length == 0 || moved + next.length > capacity)
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
void gp_code_write_far_jump(uint8_t *place, uintptr_t target) {
    memcpy(place, "\xff\x25\0\0\0\0", 6);
    memcpy(place + 6, &target, sizeof target);
}

bool gp_code_near_jump(uint8_t jump[GP_CODE_NEAR_JUMP], uintptr_t place, uintptr_t target) {
    int64_t distance = (int64_t)(target - (place + GP_CODE_NEAR_JUMP));
    int32_t near = (int32_t)distance;
    jump[0] = 0xe9;
    memcpy(jump + 1, &near, sizeof near);
    return near == distance;
}

static bool takes(const uint8_t **code, const void *bytes, size_t count) {
    if (memcmp(*code, bytes, count) != 0)
        return false;
    *code += count;
    return true;
}

static int32_t take_number(const uint8_t **code) {
    int32_t number;
    memcpy(&number, *code, sizeof number);
    *code += sizeof number;
    return number;
}

bool gp_code_thread_local_getter(const uint8_t *code, uintptr_t *index_place, intptr_t *variable_offset) {
    static const uint8_t enter[] = {0x55, 0x48, 0x89, 0xe5};  // push %rbp; mov %rsp,%rbp
    static const uint8_t index[] = {0x48, 0x8d, 0x3d};  // lea …(%rip),%rdi
    static const uint8_t call = 0xe8;  // __tls_get_addr
    static const uint8_t own[] = {0x66, 0x66, 0x66, 0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0};  // mov %fs:0,%rax
    static const uint8_t load[] = {0x48, 0x8b, 0x80};  // mov …(%rax),%rax
    static const uint8_t leave[] = {0x5d, 0xc3};
    _Static_assert(sizeof enter + sizeof own + sizeof load + sizeof(int32_t) + sizeof leave <= GP_CODE_GETTER_BYTES,
                   "read");
    uintptr_t place = 0;
    takes(&code, enter, sizeof enter);
    if (takes(&code, index, sizeof index)) {
        intptr_t distance = take_number(&code);
        place = (uintptr_t)code + (uintptr_t)distance;
        if (!takes(&code, &call, 1))
            return false;
        take_number(&code);
    } else if (!takes(&code, own, sizeof own)) {
        return false;
    }
    if (!takes(&code, load, sizeof load))
        return false;
    intptr_t offset = take_number(&code);
    if (!takes(&code, leave, sizeof leave))
        return false;
    *index_place = place;
    *variable_offset = offset;
    return true;
}

#endif
