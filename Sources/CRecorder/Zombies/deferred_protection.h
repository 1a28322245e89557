// Sampled blocks that died while such deaths followed one another so fast that taking each page away by itself, 4 to 7 µs
// of the kernel's, would be felt. They wait, poisoned like any dead block, until there are enough to be taken away
// together. All of it is done under the guard's lock.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "quarantine_slot.h"

struct gp_thread;

// A sampled block dies. Returns whether deaths come so fast that it has to wait.
bool gp_deferred_is_needed(void);

// What the last death was told.
bool gp_deferred_is_active(void);

// Poisons the block of `page`, of which `dead` says what is known, and keeps it. True: as many wait as may.
bool gp_deferred_add(uint32_t page, const gp_quarantine_slot *dead);

// Takes away the pages of all that wait, and reports those that were written to. Returns how many pages could not be
// taken away.
uint32_t gp_deferred_protect(struct gp_thread *thread);
