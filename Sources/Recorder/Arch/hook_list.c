// The entries of hook_entries.h, which each processor writes.
#include "hook_entries.h"

uintptr_t gp_hook_originals[GP_HOOKS];
gp_hook_receiver *gp_hook_receivers[GP_HOOKS];
uintptr_t gp_unfollowed[GP_UNFOLLOWED];

#define DECLARED(NAME, name, number) extern GP_HIDDEN void gp_hook_##name(void);
GP_EACH_HOOK(DECLARED)
extern GP_HIDDEN const char gp_hooks_begin[], gp_hooks_end[];

#define ENTRY(NAME, name, number) gp_hook_##name,
static void (*const entries[GP_HOOKS])(void) = {GP_EACH_HOOK(ENTRY)};

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
