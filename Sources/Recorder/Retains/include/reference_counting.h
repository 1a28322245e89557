// How often each call retains and releases, and objects of which types: exact counts by return address, and now and then a
// whole stack, which tells the callers of the library's calls.
#pragma once

#include "instrument.h"

// Its options: anything. Hooks the runtime's functions; a runtime that cannot be hooked is said in a GP_NOTE.
extern const gp_instrument gp_reference_counting_instrument;
