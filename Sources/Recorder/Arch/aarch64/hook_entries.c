#if defined(__aarch64__)

#include "hook_entries.h"

uintptr_t gp_hook_originals[GP_HOOKS];
gp_hook_receiver *gp_hook_receivers[GP_HOOKS];
uintptr_t gp_unfollowed[GP_UNFOLLOWED];

// There is none yet.
uintptr_t gp_hook_entry(unsigned hook) {
    (void)hook;
    return 0;
}

uintptr_t gp_hook_instead_of(uintptr_t pc) {
    (void)pc;
    return 0;
}

#endif
