// What a fault says about dead blocks.
#pragma once

#include <signal.h>
#include <stdbool.h>

// Reports the fault if a dead block was used. True: the program may go on, the context was changed for that.
bool gp_fault_seen(siginfo_t *info, void *context);

// The fault is nobody's and ends the program: looks at every dead block, and writes the summary. False.
bool gp_fault_ends(siginfo_t *info, void *context);

// The program is ending by its own fault or the runtime's: faults from now on are not looked at.
void gp_fault_expect_crash(void);
