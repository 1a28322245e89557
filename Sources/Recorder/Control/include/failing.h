// Lets one allocation of the program's own fail, to show what the program does then: the N-th since main began that the
// executable asks for, or the runtime of its language (Swift's, C++'s) on its behalf.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slow_path.h"

// One is still to fail: then the entry points of malloc ask gp_allocation_fails.
extern __attribute__((visibility("hidden"))) bool gp_failing_is_armed;

// The program's main function is about to be called.
void gp_failing_main_begins(void);

// The same, of the preloaded copy: whether it has been.
bool gp_main_has_begun(void);

// Counts an allocation that is asked for. pc, sp, fp: the caller's registers as gp_registers has them. True: it has to fail,
// errno is ENOMEM, and no other will.
GP_SLOW_PATH bool gp_allocation_fails(size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
