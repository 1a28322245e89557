#if defined(__x86_64__)

#include "kernel_entries.h"

// These very bytes, without unwind information, are how unwinders know a signal's frame.
__asm__(".text\n"
        ".hidden gp_return_from_handler\n"
        ".globl gp_return_from_handler\n"
        ".type gp_return_from_handler, @function\n"
        "nop\n"
        "gp_return_from_handler:\n"
        "movq $15, %rax\n"
        "syscall\n"
        ".size gp_return_from_handler, . - gp_return_from_handler\n");

__asm__(".text\n"
        ".hidden gp_wait_on_end\n"
        ".globl gp_wait_on_end\n"
        ".type gp_wait_on, @function\n"
        ".hidden gp_wait_on\n"
        ".globl gp_wait_on\n"
        "gp_wait_on:\n"
        ".cfi_startproc\n"
        "movq %rdi, %rsi\n"
        "movl $2, %edi\n"  // SIG_SETMASK
        "xorl %edx, %edx\n"
        "movl $8, %r10d\n"
        "movl $14, %eax\n"  // rt_sigprocmask
        "syscall\n"
        "movl $219, %eax\n"  // restart_syscall
        "syscall\n"
        "gp_wait_on_end:\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size gp_wait_on, . - gp_wait_on\n");

#endif
