// The functions of the Swift runtime that can be made to come here first: those that change a reference count, and the
// one that ends an object's life.
#ifndef GP_HOOKS_H
#define GP_HOOKS_H

#include <stddef.h>
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

// Places the hooks of a set (bits 1 << GP_HOOK_*), all or none. NULL, or one sentence that says why not. Asks the loader:
// before the program's own code runs.
const char *gp_hooks_place(uint32_t set);

// Where the hooked function itself is, 0: not hooked.
uintptr_t gp_hook_function(unsigned hook);

// Where to go on after a fault at `pc` that only a hook's own look at the object caused: the function that was hooked,
// which will fault by itself. 0: the fault is none of the hooks'.
uintptr_t gp_hook_instead_of(uintptr_t pc);

// First words of objects whose counts nobody follows, each in its place by bits 3…14: the one test that all others cost.
enum { GP_UNFOLLOWED = 4096 };
extern GP_HIDDEN uintptr_t gp_unfollowed[GP_UNFOLLOWED];

// Of entries.c.
extern GP_HIDDEN uintptr_t gp_hook_originals[GP_HOOKS];
uintptr_t gp_hook_entry(unsigned hook);

// Called by an entry for an object that needs a closer look: before the count changes, before the memory is given back,
// or after the birth. `hook`: GP_HOOK_*; `times`: meant for the hooks ending in N. pc, sp, fp: of the hooked function's
// caller.
GP_HIDDEN void gp_hook_seen(uintptr_t object, uint32_t times, uint32_t hook, uintptr_t pc, uintptr_t sp, uintptr_t fp);

#endif
