#include "call_site.h"

#include <stdint.h>
#include <string.h>

#include "eh_frame.h"
#include "images.h"

uintptr_t gp_function_start(uintptr_t pc) {
    const gp_image_info *image = gp_image_find_loaded(NULL, pc);
    gp_frame_description description;
    return image && gp_eh_frame_find(image, pc, &description) ? description.start : 0;
}

// The last four bytes of the instruction that ends at `end`.
static int32_t distance_before(uintptr_t end) {
    int32_t distance;
    memcpy(&distance, (const uint8_t *)end - 4, sizeof distance);
    return distance;
}

// The word that an instruction names by its distance. 0: it lies in no image.
static uintptr_t word_named_before(uintptr_t end) {
    uintptr_t place = end + (uintptr_t)(intptr_t)distance_before(end);
    return place % 8 == 0 && gp_address_is_readable_image(place, 8) ? *(const uintptr_t *)place : 0;
}

// The function to which an entry of the linkage table leads: [endbr64] [bnd] jmp *word(%rip). 0: it is no such entry.
static uintptr_t linked_function(uintptr_t target) {
    enum { CODE_MOST = 11 };
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    if (!gp_address_is_readable_code(target, CODE_MOST))
        return 0;
    const uint8_t *code = (const uint8_t *)target;
    if (memcmp(code, endbr, sizeof endbr) == 0)
        code += sizeof endbr;
    if (*code == 0xf2)
        code++;
    return code[0] == 0xff && code[1] == 0x25 ? word_named_before((uintptr_t)code + 6) : 0;
}

static gp_call_kind call_of(uintptr_t target, uintptr_t function) {
    if (target == function)
        return GP_CALL_OF_FUNCTION;
    return function && gp_function_start(target) == target ? GP_NO_CALL : GP_SOME_CALL;
}

// Whether the call instruction in front of a return address, of up to seven bytes, can be read.
static bool is_behind_code(uintptr_t address) {
    return address >= 4096 && address >> 47 == 0 && gp_address_is_readable_code(address - 7, 8);
}

uintptr_t gp_called_before(uintptr_t address) {
    if (!is_behind_code(address))
        return 0;
    const uint8_t *code = (const uint8_t *)address;
    uintptr_t target = 0;
    if (code[-5] == 0xe8)
        target = address + (uintptr_t)(intptr_t)distance_before(address);
    else if (code[-6] == 0xff && code[-5] == 0x15)
        target = word_named_before(address);
    uintptr_t linked = target ? linked_function(target) : 0;
    return linked ? linked : target;
}

gp_call_kind gp_call_before(uintptr_t address, uintptr_t function) {
    const uintptr_t target = gp_called_before(address);
    if (target || !is_behind_code(address))
        return target ? call_of(target, function) : GP_NO_CALL;
    const uint8_t *code = (const uint8_t *)address;
    for (int length = 2; length <= 7; length++)
        if (code[-length] == 0xff && (code[1 - length] >> 3 & 7) == 2)
            return GP_SOME_CALL;
    return GP_NO_CALL;
}
