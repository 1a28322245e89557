// What a fault says about dead blocks.
#ifndef GP_ZOMBIES_FAULT_H
#define GP_ZOMBIES_FAULT_H

#include <signal.h>
#include <stdbool.h>

// Reports the fault if a dead block was used. True: the program may go on, the context was changed for that.
bool gp_fault_seen(const siginfo_t *info, void *context);

#endif
