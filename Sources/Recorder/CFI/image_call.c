#include "code.h"
#include "waiting_stack.h"

gp_image_call gp_call_in_image(const gp_image_info *image, uintptr_t address) {
    if (!gp_image_has_code(image, address - GP_CODE_CALL_BEFORE, GP_CODE_CALL_BEFORE + GP_CODE_CALL_BEHIND))
        return (gp_image_call){0};
    const gp_code_call call = gp_code_call_before((const uint8_t *)address);
    gp_image_call found = {.is_call = call.kind != GP_CALL_NONE};
    if (call.kind == GP_CALL_BY_WORD)
        found.word = call.address;
    if (call.kind == GP_CALL_DIRECT) {
        if (gp_image_has_code(image, call.address, GP_CODE_LINK_BYTES))
            found.word = gp_code_link_word((const uint8_t *)call.address);
        found.target = found.word ? 0 : call.address;
    }
    return found;
}
