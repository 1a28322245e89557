#include "bare_frame.h"

#include <string.h>

#include "images.h"

enum { PUSH_RBP = 0x55, POP_RBP = 0x5d, INSTRUCTION_MOST = 8 };

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

gp_rule gp_bare_frame_rule(uintptr_t pc) {
    gp_rule rule;
    gp_rule_pack(&rule, GP_CFA_UNKNOWN, 0, 0, GP_FP_SAME, 0);
    if (!gp_address_is_readable_code(pc - 1, 1 + INSTRUCTION_MOST))
        return rule;
    const uint8_t *code = (const uint8_t *)pc;
    if (is_entry(code) || is_return(code) || (code[-1] == POP_RBP && is_jump(code)))
        gp_rule_pack(&rule, GP_CFA_SP, 8, 0, GP_FP_SAME, 0);
    else if (code[-1] == PUSH_RBP && begins(code, move_rbp, sizeof move_rbp))
        gp_rule_pack(&rule, GP_CFA_SP, 16, 0, GP_FP_AT_CFA, -16);
    return rule;
}
