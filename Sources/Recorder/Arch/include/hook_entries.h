// What stands before the hooked functions of the Swift runtime: a few instructions each, which let pass whatever nobody
// asked for. They change no register but those that every one of these functions changes too.
#pragma once

#include <stdint.h>

#define GP_HIDDEN __attribute__((visibility("hidden")))

enum {
    GP_HOOK_RETAIN,
    GP_HOOK_RETAIN_N,
    GP_HOOK_RELEASE,
    GP_HOOK_RELEASE_N,
    GP_HOOK_TRY_RETAIN,
    GP_HOOK_NONATOMIC_RETAIN,
    GP_HOOK_NONATOMIC_RETAIN_N,
    GP_HOOK_NONATOMIC_RELEASE,
    GP_HOOK_NONATOMIC_RELEASE_N,
    GP_HOOK_ALLOCATE,
    GP_HOOK_DEALLOCATE,
    GP_HOOKS,
    GP_HOOKS_OF_COUNTS = (1 << GP_HOOK_DEALLOCATE) - 1,  // as a set
};

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
