#if defined(__aarch64__)

#include "kernel_entries.h"

// These very instructions, without unwind information, are how unwinders know a signal's frame.
__asm__(".text\n"
        ".p2align 2\n"
        ".hidden gp_return_from_handler\n"
        ".globl gp_return_from_handler\n"
        ".type gp_return_from_handler, @function\n"
        "nop\n"
        "gp_return_from_handler:\n"
        "mov x8, #139\n"
        "svc #0\n"
        ".size gp_return_from_handler, . - gp_return_from_handler\n");

__asm__(".text\n"
        ".p2align 2\n"
        ".hidden gp_wait_on_end\n"
        ".globl gp_wait_on_end\n"
        ".type gp_wait_on, @function\n"
        ".hidden gp_wait_on\n"
        ".globl gp_wait_on\n"
        "gp_wait_on:\n"
        ".cfi_startproc\n"
        "mov x1, x0\n"
        "mov x0, #2\n"  // SIG_SETMASK
        "mov x2, #0\n"
        "mov x3, #8\n"
        "mov x8, #135\n"  // rt_sigprocmask
        "svc #0\n"
        "mov x8, #128\n"  // restart_syscall
        "svc #0\n"
        "gp_wait_on_end:\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size gp_wait_on, . - gp_wait_on\n");

#endif
