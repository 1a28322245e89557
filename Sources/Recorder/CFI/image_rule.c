#include "arch.h"
#include "code.h"
#include "eh_frame.h"

// Functions without call frame information, as the Swift runtime has by the thousand, cannot throw. They keep a frame pointer,
// but not yet at their first instructions and no more at their last. The rule at an instruction that was interrupted in such a
// function, by the instructions around it: GP_CFA_UNKNOWN where the frame pointer is its own. Reads code within the executable
// segment of `pc` alone.
static gp_rule prologue_rule(const gp_image_info *image, uintptr_t pc) {
    gp_rule rule;
    gp_rule_pack(&rule, GP_CFA_UNKNOWN, 0, 0, GP_FP_SAME, 0);
    if (!gp_image_has_code(image, pc - GP_CODE_PLACE_BEFORE, GP_CODE_PLACE_BEFORE + GP_CODE_PLACE_BEHIND))
        return rule;
    switch (gp_code_place_of((const uint8_t *)pc)) {
    case GP_CODE_WITHOUT_FRAME:
        gp_rule_pack(&rule, GP_CFA_SP, GP_ENTRY_CFA, 0, GP_FP_SAME, 0);
        rule |= GP_ENTRY_CFA != 0 ? 0u : (gp_rule)GP_RULE_RETURN_IN_LINK;
        break;
    case GP_CODE_FRAME_BEGUN:
        gp_rule_pack(&rule, GP_CFA_SP, 16, 0, GP_FP_AT_CFA, -16);
        break;
    case GP_CODE_INSIDE:
        break;
    }
    return rule;
}

uint64_t gp_rule_in_image(const gp_image_info *image, uintptr_t place, bool exact) {
    gp_frame_description description;
    if (gp_eh_frame_find(image, place, &description))
        return gp_cfi_rule(&description, place);
    if (exact)
        return prologue_rule(image, place);
    gp_rule rule;
    gp_rule_pack(&rule, GP_CFA_UNKNOWN, 0, 0, GP_FP_SAME, 0);
    return rule;
}

uintptr_t gp_function_in_image(const gp_image_info *image, uintptr_t place) {
    gp_frame_description description;
    return gp_eh_frame_find(image, place, &description) ? description.start : 0;
}
