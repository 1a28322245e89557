#include "rule_cache.h"

#include "arch.h"
#include "eh_frame.h"
#include "images.h"
#include "code.h"
#include "safe_read.h"

gp_concurrent_map gp_rules = {.first_log2 = 13};

// What a handler returns to lies in the vDSO, or in a page of an emulator.
static bool returns_to_signal(uintptr_t pc, const gp_image_info *image) {
    const bool lies_in_page = pc % 4 == 0 && pc % GP_PAGE <= GP_PAGE - GP_CODE_SIGNAL_RETURN_BYTES;
    return lies_in_page && (image ? gp_address_is_executable(pc) : gp_is_readable(pc)) &&
           gp_code_is_signal_return((const uint8_t *)pc);
}

gp_rule gp_rule_look_up(struct gp_thread *thread, uintptr_t pc, bool exact) {
    uintptr_t place = exact ? pc : pc - 1;
    if (place >> GP_USER_BITS)
        return 0;
    gp_rule rule;
    const gp_image_info *image = gp_image_find_loaded(thread, place);
    if (GP_CODE_SIGNAL_RETURN_BYTES != 0 && !exact && returns_to_signal(pc, image)) {
        gp_rule_pack(&rule, GP_CFA_SIGNAL, 0, 0, GP_FP_SAME, 0);
        return rule;
    }
    if (!image || !gp_address_is_executable(place))
        return 0;
    rule = gp_rule_in_image(image, place, exact);
    uint64_t key = (uint64_t)pc << 1 | exact, existing;
    gp_pair *pair = gp_pair_claim(&gp_rules, key, 0, 0, &existing);
    if (pair)
        gp_pair_publish(pair, key, rule);
    return rule;
}

void gp_rules_forget(uintptr_t start, uintptr_t end) {
    gp_pair_forget(&gp_rules, ~(uint64_t)0, (uint64_t)start << 1, ((uint64_t)end + 1) << 1);
}
