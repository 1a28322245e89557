#if defined(__x86_64__)

#include "switch_stack.h"

bool gp_call_on_stack(unsigned char *top, bool (*function)(siginfo_t *, void *), siginfo_t *info, void *context) {
    bool result;
    __asm__ volatile("movq %%rsp, %%r12\n\t"
                     "movq %[top], %%rsp\n\t"
                     "callq *%[function]\n\t"
                     "movq %%r12, %%rsp"
                     : "=a"(result), "+D"(info), "+S"(context)
                     : [top] "r"(top), [function] "r"(function)
                     : "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3",
                       "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
    return result;
}

#endif
