#include "tail_call.h"

#include <string.h>

#include "images.h"

enum { CALL_BYTES = 5, STUB_BYTES = 16 };

static uintptr_t relative(uintptr_t displacement, uintptr_t end) {
    int32_t distance;
    memcpy(&distance, (const void *)displacement, sizeof distance);
    return end + (uintptr_t)(intptr_t)distance;
}

// Where a stub of the procedure linkage table leads; any other function is its own end.
static uintptr_t behind_stub(uintptr_t function) {
    if (!gp_address_is_readable_image(function, STUB_BYTES))
        return 0;
    const uint8_t *code = (const uint8_t *)function;
    size_t at = memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
    at += code[at] == 0xf2;
    if (code[at] != 0xff || code[at + 1] != 0x25)
        return function;
    uintptr_t slot = relative(function + at + 2, function + at + 6);
    return gp_address_is_readable_image(slot, sizeof slot) ? *(const uintptr_t *)slot : 0;
}

uintptr_t gp_tail_caller(uintptr_t pc, uintptr_t callee) {
    if (!gp_address_is_readable_image(pc - CALL_BYTES, CALL_BYTES) || *(const uint8_t *)(pc - CALL_BYTES) != 0xe8)
        return 0;
    uintptr_t called = behind_stub(relative(pc - 4, pc));
    return called != callee && gp_address_is_executable(called) ? called : 0;
}
