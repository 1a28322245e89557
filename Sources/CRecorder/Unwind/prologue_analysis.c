#include "prologue_analysis.h"

#include "code.h"
#include "images.h"

gp_rule gp_prologue_rule(uintptr_t pc) {
    gp_rule rule;
    gp_rule_pack(&rule, GP_CFA_UNKNOWN, 0, 0, GP_FP_SAME, 0);
    if (!gp_address_is_readable_code(pc - GP_CODE_PLACE_BEFORE, GP_CODE_PLACE_BEFORE + GP_CODE_PLACE_BEHIND))
        return rule;
    switch (gp_code_place_of((const uint8_t *)pc)) {
    case GP_CODE_WITHOUT_FRAME:
        gp_rule_pack(&rule, GP_CFA_SP, 8, 0, GP_FP_SAME, 0);
        break;
    case GP_CODE_FRAME_BEGUN:
        gp_rule_pack(&rule, GP_CFA_SP, 16, 0, GP_FP_AT_CFA, -16);
        break;
    case GP_CODE_INSIDE:
        break;
    }
    return rule;
}
