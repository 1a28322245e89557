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

#define STORE(number, at) "    movups %xmm" #number ", " #at "(%rsp)\n"
#define LOAD(number, at) "    movups " #at "(%rsp), %xmm" #number "\n"
#define EACH_VECTOR(_) \
    _(0, 0) _(1, 16) _(2, 32) _(3, 48) _(4, 64) _(5, 80) _(6, 96) _(7, 112) _(8, 128) _(9, 144) _(10, 160) _(11, 176) \
    _(12, 192) _(13, 208) _(14, 224) _(15, 240)

// The stack: this function's return address, the hook's number, the hooked function's return address.
__asm__(GP_HOOKS_BEGIN
        ".cfi_adjust_cfa_offset 16\n"
        "    push %rbp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_offset %rbp, -32\n"
        "    mov %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    push %rax\n    push %rcx\n    push %rdx\n    push %rsi\n    push %rdi\n"
        "    push %r8\n    push %r9\n    push %r10\n    push %r11\n"
        "    sub $264, %rsp\n"
        EACH_VECTOR(STORE)
        "    movl 16(%rbp), %edx\n"
        "    mov 24(%rbp), %rcx\n"
        "    lea 32(%rbp), %r8\n"
        "    mov (%rbp), %r9\n"
        "    cld\n"
        "    lea gp_hook_receivers(%rip), %rax\n"
        "    call *(%rax,%rdx,8)\n"
        EACH_VECTOR(LOAD)
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
        GP_HOOKS_END);
// clang-format on

#endif
