// The entries of hook_entries.h, which each processor writes.
#include "hook_entries.h"

uintptr_t gp_hook_originals[GP_HOOKS];
gp_hook_receiver *gp_hook_receivers[GP_HOOKS];
uintptr_t gp_unfollowed[GP_UNFOLLOWED];

#define DECLARED(name) extern GP_HIDDEN void gp_hook_##name(void)
DECLARED(retain);
DECLARED(retain_n);
DECLARED(release);
DECLARED(release_n);
DECLARED(try_retain);
DECLARED(nonatomic_retain);
DECLARED(nonatomic_retain_n);
DECLARED(nonatomic_release);
DECLARED(nonatomic_release_n);
DECLARED(allocate);
DECLARED(deallocate);
extern GP_HIDDEN const char gp_hooks_begin[], gp_hooks_end[];

static void (*const entries[GP_HOOKS])(void) = {
    gp_hook_retain,
    gp_hook_retain_n,
    gp_hook_release,
    gp_hook_release_n,
    gp_hook_try_retain,
    gp_hook_nonatomic_retain,
    gp_hook_nonatomic_retain_n,
    gp_hook_nonatomic_release,
    gp_hook_nonatomic_release_n,
    gp_hook_allocate,
    gp_hook_deallocate,
};

uintptr_t gp_hook_entry(unsigned hook) {
    return (uintptr_t)entries[hook];
}

uintptr_t gp_hook_instead_of(uintptr_t pc) {
    if (pc < (uintptr_t)gp_hooks_begin || pc >= (uintptr_t)gp_hooks_end)
        return 0;
    unsigned best = GP_HOOKS;
    for (unsigned hook = 0; hook < GP_HOOKS; hook++)
        if (gp_hook_entry(hook) <= pc && (best == GP_HOOKS || gp_hook_entry(hook) > gp_hook_entry(best)))
            best = hook;
    // A birth's entry looks at no object.
    return best < GP_HOOKS && best != GP_HOOK_ALLOCATE ? gp_hook_originals[best] : 0;
}
