#if defined(__x86_64__)

#include <cpuid.h>

#include "arch.h"

bool gp_ticks_are_steady(void) {
    enum { LEAF = 0x80000007, IS_INVARIANT = 1 << 8 };
    unsigned a, b, c, d;
    return __get_cpuid(LEAF, &a, &b, &c, &d) && (d & IS_INVARIANT);
}

#endif
