#include "call_site.h"

#include "arch.h"
#include "code.h"
#include "eh_frame.h"
#include "images.h"

uintptr_t gp_function_start(uintptr_t pc) {
    const gp_image_info *image = gp_image_find_loaded(NULL, pc);
    return image ? gp_function_in_image(image, pc) : 0;
}

// The word at `place`. 0: it lies in no image.
static uintptr_t word_at(uintptr_t place) {
    return place % 8 == 0 && gp_address_is_readable_image(place, 8) ? *(const uintptr_t *)place : 0;
}

// The function to which an entry of the linkage table leads. 0: it is no such entry.
static uintptr_t linked_function(uintptr_t target) {
    if (!gp_address_is_readable_code(target, GP_CODE_LINK_BYTES))
        return 0;
    uintptr_t word = gp_code_link_word((const uint8_t *)target);
    return word ? word_at(word) : 0;
}

static gp_call_kind call_of(uintptr_t target, uintptr_t function) {
    if (target == function)
        return GP_CALL_OF_FUNCTION;
    return function && gp_function_start(target) == target ? GP_NO_CALL : GP_SOME_CALL;
}

// The call in front of a return address, as far as its code can be read.
static gp_code_call call_at(uintptr_t address) {
    const bool is_readable =
        address >= 4096 && gp_is_user_address(address) &&
        gp_address_is_readable_code(address - GP_CODE_CALL_BEFORE, GP_CODE_CALL_BEFORE + GP_CODE_CALL_BEHIND);
    return is_readable ? gp_code_call_before((const uint8_t *)address) : (gp_code_call){GP_CALL_NONE, 0};
}

static uintptr_t target_of(gp_code_call call) {
    uintptr_t target = call.kind == GP_CALL_DIRECT    ? call.address
                       : call.kind == GP_CALL_BY_WORD ? word_at(call.address)
                                                      : 0;
    uintptr_t linked = target ? linked_function(target) : 0;
    return linked ? linked : target;
}

uintptr_t gp_called_before(uintptr_t address) {
    return target_of(call_at(address));
}

gp_call_kind gp_call_before(uintptr_t address, uintptr_t function) {
    const gp_code_call call = call_at(address);
    const uintptr_t target = target_of(call);
    if (target)
        return call_of(target, function);
    return call.kind == GP_CALL_NONE ? GP_NO_CALL : GP_SOME_CALL;
}
