#if defined(__aarch64__)

#define BEGIN(name)                                                                                                    \
    ".p2align 4\n"                                                                                                     \
    ".hidden gp_hook_" name "\n"                                                                                       \
    ".globl gp_hook_" name "\n"                                                                                        \
    ".type gp_hook_" name ", @function\n"                                                                              \
    "gp_hook_" name ":\n"                                                                                              \
    ".cfi_startproc\n"
#define END(name)                                                                                                      \
    ".cfi_endproc\n"                                                                                                   \
    ".size gp_hook_" name ", . - gp_hook_" name "\n"
#define WORD_OF(table, hook)                                                                                           \
    "    adrp x16, " table "+8*" hook "\n"                                                                             \
    "    ldr x16, [x16, :lo12:" table "+8*" hook "]\n"
#define WORD_BY_X17(table)                                                                                             \
    "    adrp x16, " table "\n"                                                                                        \
    "    add x16, x16, :lo12:" table "\n"                                                                              \
    "    ldr x16, [x16, x17, lsl #3]\n"
#define GO_ON(hook) WORD_OF("gp_hook_originals", hook) "    br x16\n"
#define LOOK(hook) "    mov w17, #" hook "\n    b gp_hook_look\n"

// Each entry looks at the object's first word and goes on to the function as it was called. It changes x8, x16 and x17
// alone, which belong to no caller; what looks closer keeps all the others, those for floating point too.
#define ENTRY(name, hook)                                                                                              \
    BEGIN(name)                                                                                                        \
    "    cmp x0, #0\n"                                                                                                 \
    "    b.le 1f\n"                                                                                                    \
    "    and x8, x0, #0x0ffffffffffffff8\n"                                                                            \
    "    ldr x8, [x8]\n"                                                                                               \
    "    ubfx x17, x8, #3, #12\n" WORD_BY_X17("gp_unfollowed") "    cmp x16, x8\n"                                     \
                                                               "    b.ne 2f\n"                                         \
                                                               "1:\n" GO_ON(hook) "2:\n" LOOK(hook) END(name)

#define STORE_Q(a, b, at) "    stp q" #a ", q" #b ", [sp, #" #at "]\n"
#define LOAD_Q(a, b, at) "    ldp q" #a ", q" #b ", [sp, #" #at "]\n"
#define STORE_X(a, b, at) "    stp x" #a ", x" #b ", [sp, #" #at "]\n"
#define LOAD_X(a, b, at) "    ldp x" #a ", x" #b ", [sp, #" #at "]\n"
#define EACH_Q(one)                                                                                                    \
    one(0, 1, 0) one(2, 3, 32) one(4, 5, 64) one(6, 7, 96) one(8, 9, 128) one(10, 11, 160) one(12, 13, 192)            \
        one(14, 15, 224) one(16, 17, 256) one(18, 19, 288) one(20, 21, 320) one(22, 23, 352) one(24, 25, 384)          \
            one(26, 27, 416) one(28, 29, 448) one(30, 31, 480)
#define EACH_X(one)                                                                                                    \
    one(0, 1, 0) one(2, 3, 16) one(4, 5, 32) one(6, 7, 48) one(8, 9, 64) one(10, 11, 80) one(12, 13, 96)               \
        one(14, 15, 112) one(17, 18, 128)

__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden gp_hooks_begin\n"
    ".globl gp_hooks_begin\n"
    "gp_hooks_begin:\n"
    // In x17 the hook's number.
    ".type gp_hook_look, @function\n"
    "gp_hook_look:\n"
    ".cfi_startproc\n"
    "    stp x29, x30, [sp, #-16]!\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset x29, -16\n"
    "    .cfi_offset x30, -8\n"
    "    mov x29, sp\n"
    "    .cfi_def_cfa x29, 16\n"
    "    sub sp, sp, #144\n" EACH_X(STORE_X) "    sub sp, sp, #512\n" EACH_Q(
        STORE_Q) "    mov w2, w17\n"
                 "    mov x3, x30\n"
                 "    add x4, x29, #16\n"
                 "    ldr x5, [x29]\n" WORD_BY_X17("gp_hook_receivers") "    blr x16\n" EACH_Q(
                     LOAD_Q) "    add sp, sp, #512\n" EACH_X(LOAD_X) "    add sp, sp, #144\n"
                                                                     "    ldp x29, x30, [sp], #16\n"
                                                                     "    .cfi_def_cfa sp, 0\n"
                                                                     "    .cfi_restore x29\n"
                                                                     "    .cfi_restore x30\n" WORD_BY_X17(
                                                                         "gp_hook_originals") "    br x16\n"
                                                                                              ".cfi_endproc\n"
                                                                                              ".size gp_hook_look, . - "
                                                                                              "gp_hook_look\n" ENTRY(
                                                                                                  "retain",
                                                                                                  "0") ENTRY("retain_n",
                                                                                                             "1")
                                                                                                  ENTRY("release", "2") ENTRY(
                                                                                                      "release_n",
                                                                                                      "3") ENTRY("try_"
                                                                                                                 "retai"
                                                                                                                 "n",
                                                                                                                 "4")
                                                                                                      ENTRY(
                                                                                                          "nonatomic_"
                                                                                                          "retain",
                                                                                                          "5") ENTRY("n"
                                                                                                                     "o"
                                                                                                                     "n"
                                                                                                                     "a"
                                                                                                                     "t"
                                                                                                                     "o"
                                                                                                                     "m"
                                                                                                                     "i"
                                                                                                                     "c"
                                                                                                                     "_"
                                                                                                                     "r"
                                                                                                                     "e"
                                                                                                                     "t"
                                                                                                                     "a"
                                                                                                                     "i"
                                                                                                                     "n"
                                                                                                                     "_"
                                                                                                                     "n",
                                                                                                                     "6")
                                                                                                          ENTRY(
                                                                                                              "nonatomi"
                                                                                                              "c_"
                                                                                                              "release",
                                                                                                              "7")
                                                                                                              ENTRY(
                                                                                                                  "nona"
                                                                                                                  "tomi"
                                                                                                                  "c_"
                                                                                                                  "rele"
                                                                                                                  "ase_"
                                                                                                                  "n",
                                                                                                                  "8")
    // An object's birth is reported after it: the metadata comes in x0, and so does the object.
    BEGIN("allocate") "    ubfx x17, x0, #3, #12\n" WORD_BY_X17(
        "gp_unfollowed") "    cmp x16, x0\n"
                         "    b.ne 2f\n" GO_ON("9") "2:  stp x29, x30, [sp, #-32]!\n"
                                                    "    .cfi_def_cfa_offset 32\n"
                                                    "    .cfi_offset x29, -32\n"
                                                    "    .cfi_offset x30, -24\n"
                                                    "    mov x29, sp\n"
                                                    "    .cfi_def_cfa x29, 32\n" WORD_OF(
                                                        "gp_hook_originals",
                                                        "9") "    blr x16\n"
                                                             "    str x0, [sp, #16]\n"
                                                             "    mov w1, #1\n"
                                                             "    mov w2, #9\n"
                                                             "    ldr x3, [x29, #8]\n"
                                                             "    add x4, x29, #32\n"
                                                             "    ldr x5, [x29]\n" WORD_OF(
                                                                 "gp_hook_receivers",
                                                                 "9") "    blr x16\n"
                                                                      "    ldr x0, [sp, #16]\n"
                                                                      "    ldp x29, x30, [sp], #32\n"
                                                                      "    .cfi_def_cfa sp, 0\n"
                                                                      "    .cfi_restore x29\n"
                                                                      "    .cfi_restore x30\n"
                                                                      "    ret\n" END("allocate")
    // Straight on unless the object has unowned references or a side table.
    BEGIN("deallocate") "    cmp x0, #0\n"
                        "    b.le 1f\n"
                        "    ldr w8, [x0, #8]\n"
                        "    lsr w8, w8, #1\n"
                        "    cmp w8, #1\n"
                        "    b.ne 2f\n"
                        "1:\n" GO_ON("10") "2:\n" LOOK("10") END("deallocate") ".hidden gp_hooks_end\n"
                                                                               ".globl gp_hooks_end\n"
                                                                               "gp_hooks_end:\n");

#endif
