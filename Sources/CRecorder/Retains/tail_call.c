#include "tail_call.h"

#include "call_site.h"
#include "images.h"

uintptr_t gp_tail_caller(uintptr_t pc, uintptr_t callee) {
    const uintptr_t called = gp_called_before(pc);
    return called != callee && gp_address_is_executable(called) ? called : 0;
}
