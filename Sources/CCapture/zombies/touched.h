// Which address out of a dead block led to a fault.
#ifndef GP_ZOMBIES_TOUCHED_H
#define GP_ZOMBIES_TOUCHED_H

#include <signal.h>
#include <stdint.h>
#include <sys/ucontext.h>

enum { GP_REGISTERS_USED = 15 };

// The numbers in `gregs` of the registers that a program computes with.
extern __attribute__((visibility("hidden"))) const int gp_registers_used[GP_REGISTERS_USED];

// An address in the graves or on a guarded page; 0: the fault has nothing to do with dead blocks.
uintptr_t gp_touched_address(const siginfo_t *info, const greg_t *registers);

#endif
