#include "virtual_mask.h"

#include <signal.h>

#include "system.h"
#include "signal_chain.h"

__thread uint64_t gp_virtual_mask __attribute__((tls_model("initial-exec")));
__thread uint64_t gp_virtual_mask_beside __attribute__((tls_model("initial-exec")));

void gp_virtual_mask_begin(uint64_t inherited) {
    uint64_t faults = gp_signal_chain_faults(), blocked = 0;
    if (faults)
        gp_system(rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof blocked);
    gp_virtual_mask = inherited | (blocked & faults);
    gp_virtual_mask_beside = blocked & ~faults;
    // A signal that waited for it comes at once.
    if (blocked & faults)
        gp_system(rt_sigprocmask, SIG_UNBLOCK, &faults, NULL, sizeof faults);
}
