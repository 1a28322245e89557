// The freed object whose use ends the program, for the search of the heap that says what still refers to it (GP_TARGET_DEAD).
#pragma once

#include "quarantine.h"

// A use of the slot's block ends the program. Async-signal-safe.
void gp_revival_note(const gp_quarantine_slot *slot);
