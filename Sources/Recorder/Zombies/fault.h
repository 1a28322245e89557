// What a fault says about quarantined blocks.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "zombie_record.h"

struct gp_thread;

// Reports the fault if a quarantined block was used. True: the program may go on, the context was changed for that.
bool gp_fault_seen(siginfo_t *info, void *context);

// The fault is nobody's and ends the program: looks at every quarantined block, and writes the summary. False.
bool gp_fault_ends(siginfo_t *info, void *context);

// The program is ending by its own fault or the runtime's: faults from now on are not looked at.
void gp_fault_expect_crash(void);

// The same, after a look at the quarantine: a fault is about to end the program. `context` is not used.
void gp_fault_crashes(struct gp_thread *thread, const void *context);

// The use of a freed block ends the program: the search of the heap says what still refers to it (GP_TARGET_DEAD).
// Async-signal-safe.
void gp_revival_note(const gp_quarantine_slot *slot);

// ---------------------------------------------------------------------------------------------------- fault_decoder.c

// The address out of a quarantined block that led to the fault: in the slots or on a guarded page; 0: the fault has nothing
// to do with such blocks.
uintptr_t gp_fault_poison_address(const siginfo_t *info, const ucontext_t *context);

// The stack of the code that a fault interrupted. An interrupted address is looked up as the return address one byte behind
// it. `touched`: the address that faulted; after a jump to it the caller's is on the stack.
uint32_t gp_fault_stack(struct gp_thread *thread, const ucontext_t *context, uintptr_t touched);

// ------------------------------------------------------------------------------------------------------- first_word.c

// The first word of a quarantined block on a guarded page was read. What is done with it says more: the page is made
// readable, filled as a block in the quarantine is, and the program goes on to the address that it read. If it does not
// follow that address, the read is reported at the end. GP_REVEALED_MOST pages are filled in all.
//
// `dead`: the block's slot, `use`: as it is reported if nothing else comes of it. True: the program may go on.
bool gp_first_word_reveal(gp_quarantine_slot *dead, const gp_zombie_use *use);

// A use of a block was reported that fills slot `number`.
void gp_first_word_reported(uint32_t number);

// Another thread opens the page just now: the access is made again, but not for ever. False: that was done too often.
bool gp_fault_is_tried_again(void);

// Reports the reads of which nothing else came.
void gp_first_words_report(struct gp_thread *thread);
