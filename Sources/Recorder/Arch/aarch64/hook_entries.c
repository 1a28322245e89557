#if defined(__aarch64__)

#include "hook_entries.h"

// clang-format off
#define WORD_OF(table, hook) \
    "    adrp x16, " table "+8*" hook "\n" \
    "    ldr x16, [x16, :lo12:" table "+8*" hook "]\n"
#define WORD_BY_X17(table) \
    "    adrp x16, " table "\n" \
    "    add x16, x16, :lo12:" table "\n" \
    "    ldr x16, [x16, x17, lsl #3]\n"
#define GO_ON(hook) WORD_OF("gp_hook_originals", hook) "    br x16\n"
#define GO_ON_OR_LOOK(hook) "1:\n" GO_ON(hook) "2:  mov w17, #" hook "\n    b gp_hook_look\n"

// Each entry looks at the object's first word and goes on to the function as it was called. It changes x8, x16 and x17
// alone, which belong to no caller; what looks closer keeps all the others, those for floating point too.
#define ENTRY(NAME, name, hook) \
    GP_HOOK_BEGIN(#name) \
    "    cmp x0, #0\n" \
    "    b.le 1f\n" \
    "    and x8, x0, #0x0ffffffffffffff8\n" \
    "    ldr x8, [x8]\n" \
    "    ubfx x17, x8, #3, #12\n" \
    WORD_BY_X17("gp_unfollowed") \
    "    cmp x16, x8\n" \
    "    b.ne 2f\n" \
    GO_ON_OR_LOOK(#hook) \
    GP_HOOK_END(#name)

#define STORE_Q(a, b, at) "    stp q" #a ", q" #b ", [sp, #" #at "]\n"
#define LOAD_Q(a, b, at) "    ldp q" #a ", q" #b ", [sp, #" #at "]\n"
#define STORE_X(a, b, at) "    stp x" #a ", x" #b ", [sp, #" #at "]\n"
#define LOAD_X(a, b, at) "    ldp x" #a ", x" #b ", [sp, #" #at "]\n"
#define EACH_Q(_) \
    _(0, 1, 0) _(2, 3, 32) _(4, 5, 64) _(6, 7, 96) _(8, 9, 128) _(10, 11, 160) _(12, 13, 192) _(14, 15, 224) \
    _(16, 17, 256) _(18, 19, 288) _(20, 21, 320) _(22, 23, 352) _(24, 25, 384) _(26, 27, 416) _(28, 29, 448) \
    _(30, 31, 480)
#define EACH_X(_) \
    _(0, 1, 0) _(2, 3, 16) _(4, 5, 32) _(6, 7, 48) _(8, 9, 64) _(10, 11, 80) _(12, 13, 96) _(14, 15, 112) \
    _(17, 18, 128)

// In x17 the hook's number.
__asm__(GP_HOOKS_BEGIN
        "    stp x29, x30, [sp, #-16]!\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset x29, -16\n"
        "    .cfi_offset x30, -8\n"
        "    mov x29, sp\n"
        "    .cfi_def_cfa x29, 16\n"
        "    sub sp, sp, #144\n"
        EACH_X(STORE_X)
        "    sub sp, sp, #512\n"
        EACH_Q(STORE_Q)
        "    mov w2, w17\n"
        "    mov x3, x30\n"
        "    add x4, x29, #16\n"
        "    ldr x5, [x29]\n"
        WORD_BY_X17("gp_hook_receivers")
        "    blr x16\n"
        EACH_Q(LOAD_Q)
        "    add sp, sp, #512\n"
        EACH_X(LOAD_X)
        "    add sp, sp, #144\n"
        "    ldp x29, x30, [sp], #16\n"
        "    .cfi_def_cfa sp, 0\n"
        "    .cfi_restore x29\n"
        "    .cfi_restore x30\n"
        WORD_BY_X17("gp_hook_originals")
        "    br x16\n"
        ".cfi_endproc\n"
        ".size gp_hook_look, . - gp_hook_look\n"
        GP_EACH_HOOK_OF_COUNTS(ENTRY)
        // An object's birth is reported after it: the metadata comes in x0, and so does the object.
        GP_HOOK_BEGIN("allocate")
        "    ubfx x17, x0, #3, #12\n"
        WORD_BY_X17("gp_unfollowed")
        "    cmp x16, x0\n"
        "    b.ne 2f\n"
        GO_ON("9")
        "2:  stp x29, x30, [sp, #-32]!\n"
        "    .cfi_def_cfa_offset 32\n"
        "    .cfi_offset x29, -32\n"
        "    .cfi_offset x30, -24\n"
        "    mov x29, sp\n"
        "    .cfi_def_cfa x29, 32\n"
        WORD_OF("gp_hook_originals", "9")
        "    blr x16\n"
        "    str x0, [sp, #16]\n"
        "    mov w1, #1\n"
        "    mov w2, #9\n"
        "    ldr x3, [x29, #8]\n"
        "    add x4, x29, #32\n"
        "    ldr x5, [x29]\n"
        WORD_OF("gp_hook_receivers", "9")
        "    blr x16\n"
        "    ldr x0, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    .cfi_def_cfa sp, 0\n"
        "    .cfi_restore x29\n"
        "    .cfi_restore x30\n"
        "    ret\n"
        GP_HOOK_END("allocate")
        // Straight on unless the object has unowned references or a side table.
        GP_HOOK_BEGIN("deallocate")
        "    cmp x0, #0\n"
        "    b.le 1f\n"
        "    ldr w8, [x0, #8]\n"
        "    lsr w8, w8, #1\n"
        "    cmp w8, #1\n"
        "    b.ne 2f\n"
        GO_ON_OR_LOOK("10")
        GP_HOOK_END("deallocate")
        GP_HOOKS_END);
// clang-format on

#endif
