// The first word of a dead block on pages of its own was read. What is done with it says more: the page is made readable,
// filled as a block in the quarantine is, and the program goes on to the address that it read. If it does not follow that
// address, the read is reported at the end. GP_REVEALED_MOST pages are filled in all.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "quarantine_slot.h"
#include "zombie_record.h"

struct gp_thread;

// `dead`: the block's slot, `use`: as it is reported if nothing else comes of it. True: the program may go on.
bool gp_first_word_reveal(gp_quarantine_slot *dead, const gp_zombie_use *use);

// A use of a block was reported that fills slot `number`.
void gp_first_word_reported(uint32_t number);

// Reports the reads of which nothing else came.
void gp_first_words_report(struct gp_thread *thread);
