// Room for what the recorder does in a signal's handler. An alternate stack of the program's may have little more than the
// handler of its own needs, and what lies below it is the program's.
#pragma once

#include "signal_chain.h"

// Calls `claim`, on a stack of the recorder's when the handler runs on a small alternate one.
bool gp_claim_with_room(gp_signal_claim claim, siginfo_t *info, void *context);
