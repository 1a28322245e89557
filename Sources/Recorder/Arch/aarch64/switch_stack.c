#if defined(__aarch64__)

#include "switch_stack.h"

#include <stdint.h>

bool gp_call_on_stack(unsigned char *top, bool (*function)(siginfo_t *, void *), siginfo_t *info, void *context) {
    register siginfo_t *x0 __asm__("x0") = info;
    register void *x1 __asm__("x1") = context;
    __asm__ volatile("mov x19, sp\n\t"
                     "mov sp, %[top]\n\t"
                     "blr %[function]\n\t"
                     "mov sp, x19"
                     : "+r"(x0), "+r"(x1)
                     : [top] "r"(top), [function] "r"(function)
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
                       "x17", "x18", "x19", "x30", "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
                       "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
                       "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
    return (uintptr_t)x0 & 1;
}

#endif
