// Which address out of a dead block led to a fault.
#pragma once

#include <signal.h>
#include <stdint.h>

#include "arch.h"

// An address in the slots or on a guarded page; 0: the fault has nothing to do with dead blocks.
uintptr_t gp_fault_poison_address(const siginfo_t *info, const ucontext_t *context);
