// What stands before the hooked functions of the Swift runtime: a few instructions each, which let pass whatever nobody
// asked for. They change no register but those that every one of these functions changes too.
#pragma once

#include <stdint.h>

#define GP_HIDDEN __attribute__((visibility("hidden")))

// clang-format off
#define GP_EACH_HOOK_OF_COUNTS(_) \
    _(RETAIN, retain, 0) _(RETAIN_N, retain_n, 1) _(RELEASE, release, 2) _(RELEASE_N, release_n, 3) \
    _(TRY_RETAIN, try_retain, 4) _(NONATOMIC_RETAIN, nonatomic_retain, 5) _(NONATOMIC_RETAIN_N, nonatomic_retain_n, 6) \
    _(NONATOMIC_RELEASE, nonatomic_release, 7) _(NONATOMIC_RELEASE_N, nonatomic_release_n, 8)
#define GP_EACH_HOOK(_) GP_EACH_HOOK_OF_COUNTS(_) _(ALLOCATE, allocate, 9) _(DEALLOCATE, deallocate, 10)
#define GP_HOOK_NUMBER(NAME, name, number) GP_HOOK_##NAME = number,
// clang-format on

enum {
    GP_EACH_HOOK(GP_HOOK_NUMBER) GP_HOOKS,
    GP_HOOKS_OF_COUNTS = (1 << GP_HOOK_DEALLOCATE) - 1,  // as a set
    GP_HOOKS_OF_CHANGES = (1 << GP_HOOK_ALLOCATE) - 1,  // the same without births
};

// Around all entries. The first thing is what looks closer: gp_hook_look.
#define GP_HOOKS_BEGIN                                                                                                 \
    ".text\n"                                                                                                          \
    ".p2align 4\n"                                                                                                     \
    ".hidden gp_hooks_begin\n"                                                                                         \
    ".globl gp_hooks_begin\n"                                                                                          \
    "gp_hooks_begin:\n"                                                                                                \
    ".type gp_hook_look, @function\n"                                                                                  \
    "gp_hook_look:\n"                                                                                                  \
    ".cfi_startproc\n"
#define GP_HOOKS_END                                                                                                   \
    ".hidden gp_hooks_end\n"                                                                                           \
    ".globl gp_hooks_end\n"                                                                                            \
    "gp_hooks_end:\n"

// Around the instructions of an entry.
#define GP_HOOK_BEGIN(name)                                                                                            \
    ".p2align 4\n"                                                                                                     \
    ".hidden gp_hook_" name "\n"                                                                                       \
    ".globl gp_hook_" name "\n"                                                                                        \
    ".type gp_hook_" name ", @function\n"                                                                              \
    "gp_hook_" name ":\n"                                                                                              \
    ".cfi_startproc\n"
#define GP_HOOK_END(name)                                                                                              \
    ".cfi_endproc\n"                                                                                                   \
    ".size gp_hook_" name ", . - gp_hook_" name "\n"

// Called by an entry for an object that needs a closer look: before the count changes, before the memory is given back,
// or after the birth. `object`: as the function was given it; `hook`: GP_HOOK_*; `times`: meant for the hooks ending in N.
// pc, sp, fp: of the hooked function's caller.
typedef void gp_hook_receiver(uintptr_t object, uint32_t times, uint32_t hook, uintptr_t pc, uintptr_t sp,
                              uintptr_t fp);

// Where to go on after a fault at `pc` that only a hook's own look at the object caused: the function that was hooked,
// which will fault by itself. 0: the fault is none of the hooks'.
uintptr_t gp_hook_instead_of(uintptr_t pc);

// First words of objects whose counts nobody follows, each in its place by bits 3…14: the one test that all others cost.
enum { GP_UNFOLLOWED = 4096 };
extern GP_HIDDEN uintptr_t gp_unfollowed[GP_UNFOLLOWED];

// Where an entry goes on to, and whom it calls before; both by GP_HOOK_*.
extern GP_HIDDEN uintptr_t gp_hook_originals[GP_HOOKS];
extern GP_HIDDEN gp_hook_receiver *gp_hook_receivers[GP_HOOKS];

// The entry itself.
uintptr_t gp_hook_entry(unsigned hook);
