#if defined(__x86_64__)

#include "hook_entries.h"

// Each entry looks at the object's first word and goes on to the function as it was called. It changes registers rax,
// rcx and rdx alone, which every one of these functions changes too; what looks closer keeps all the others, those for
// floating point too.
// clang-format off
#define ENTRY(NAME, name, hook) \
    GP_HOOK_BEGIN(#name) \
    "    test %rdi, %rdi\n" \
    "    jle 1f\n" \
    "    movabs $0x00fffffffffffff8, %rdx\n" \
    "    and %rdi, %rdx\n" \
    "    mov (%rdx), %rdx\n" \
    "    mov %edx, %eax\n" \
    "    shr $3, %eax\n" \
    "    and $4095, %eax\n" \
    "    lea gp_unfollowed(%rip), %rcx\n" \
    "    cmp (%rcx,%rax,8), %rdx\n" \
    "    jne 2f\n" \
    LOOK(#hook) \
    GP_HOOK_END(#name)
#define LOOK(hook) \
    "1:  jmp *gp_hook_originals+8*" hook "(%rip)\n" \
    "2:  push $" hook "\n" \
    "    .cfi_adjust_cfa_offset 8\n" \
    "    call gp_hook_look\n" \
    "    add $8, %rsp\n" \
    "    .cfi_adjust_cfa_offset -8\n" \
    "    jmp *gp_hook_originals+8*" hook "(%rip)\n"

__asm__(".text\n"
        ".p2align 4\n"
        ".hidden gp_hooks_begin\n"
        ".globl gp_hooks_begin\n"
        "gp_hooks_begin:\n"
        // The stack: this function's return address, the hook's number, the hooked function's return address.
        ".type gp_hook_look, @function\n"
        "gp_hook_look:\n"
        ".cfi_startproc\n"
        ".cfi_adjust_cfa_offset 16\n"
        "    push %rbp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_offset %rbp, -32\n"
        "    mov %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    push %rax\n    push %rcx\n    push %rdx\n    push %rsi\n    push %rdi\n"
        "    push %r8\n    push %r9\n    push %r10\n    push %r11\n"
        "    sub $264, %rsp\n"
        "    movups %xmm0, 0(%rsp)\n    movups %xmm1, 16(%rsp)\n"
        "    movups %xmm2, 32(%rsp)\n    movups %xmm3, 48(%rsp)\n"
        "    movups %xmm4, 64(%rsp)\n    movups %xmm5, 80(%rsp)\n"
        "    movups %xmm6, 96(%rsp)\n    movups %xmm7, 112(%rsp)\n"
        "    movups %xmm8, 128(%rsp)\n    movups %xmm9, 144(%rsp)\n"
        "    movups %xmm10, 160(%rsp)\n    movups %xmm11, 176(%rsp)\n"
        "    movups %xmm12, 192(%rsp)\n    movups %xmm13, 208(%rsp)\n"
        "    movups %xmm14, 224(%rsp)\n    movups %xmm15, 240(%rsp)\n"
        "    movl 16(%rbp), %edx\n"
        "    mov 24(%rbp), %rcx\n"
        "    lea 32(%rbp), %r8\n"
        "    mov (%rbp), %r9\n"
        "    cld\n"
        "    lea gp_hook_receivers(%rip), %rax\n"
        "    call *(%rax,%rdx,8)\n"
        "    movups 0(%rsp), %xmm0\n    movups 16(%rsp), %xmm1\n"
        "    movups 32(%rsp), %xmm2\n    movups 48(%rsp), %xmm3\n"
        "    movups 64(%rsp), %xmm4\n    movups 80(%rsp), %xmm5\n"
        "    movups 96(%rsp), %xmm6\n    movups 112(%rsp), %xmm7\n"
        "    movups 128(%rsp), %xmm8\n    movups 144(%rsp), %xmm9\n"
        "    movups 160(%rsp), %xmm10\n    movups 176(%rsp), %xmm11\n"
        "    movups 192(%rsp), %xmm12\n    movups 208(%rsp), %xmm13\n"
        "    movups 224(%rsp), %xmm14\n    movups 240(%rsp), %xmm15\n"
        "    add $264, %rsp\n"
        "    pop %r11\n    pop %r10\n    pop %r9\n    pop %r8\n"
        "    pop %rdi\n    pop %rsi\n    pop %rdx\n    pop %rcx\n    pop %rax\n"
        "    pop %rbp\n"
        "    .cfi_def_cfa %rsp, 24\n"
        "    .cfi_restore %rbp\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size gp_hook_look, . - gp_hook_look\n"
        GP_EACH_HOOK_OF_COUNTS(ENTRY)
        // An object's birth is reported after it: the metadata comes in rdi, the object in rax.
        GP_HOOK_BEGIN("allocate")
        "    mov %edi, %eax\n"
        "    shr $3, %eax\n"
        "    and $4095, %eax\n"
        "    lea gp_unfollowed(%rip), %rcx\n"
        "    cmp (%rcx,%rax,8), %rdi\n"
        "    jne 2f\n"
        "    jmp *gp_hook_originals+8*9(%rip)\n"
        "2:  push %rbp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_offset %rbp, -16\n"
        "    mov %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    sub $16, %rsp\n"
        "    call *gp_hook_originals+8*9(%rip)\n"
        "    mov %rax, -8(%rbp)\n"
        "    mov %rax, %rdi\n"
        "    mov $1, %esi\n"
        "    mov $9, %edx\n"
        "    mov 8(%rbp), %rcx\n"
        "    lea 16(%rbp), %r8\n"
        "    mov (%rbp), %r9\n"
        "    call *gp_hook_receivers+8*9(%rip)\n"
        "    mov -8(%rbp), %rax\n"
        "    leave\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    .cfi_restore %rbp\n"
        "    ret\n"
        GP_HOOK_END("allocate")
        // Straight on unless the object has unowned references or a side table; its arguments stay as they are.
        GP_HOOK_BEGIN("deallocate")
        "    test %rdi, %rdi\n"
        "    jle 1f\n"
        "    mov 8(%rdi), %eax\n"
        "    shr $1, %eax\n"
        "    cmp $1, %eax\n"
        "    jne 2f\n"
        LOOK("10")
        GP_HOOK_END("deallocate")
        ".hidden gp_hooks_end\n"
        ".globl gp_hooks_end\n"
        "gp_hooks_end:\n");
// clang-format on

#endif
