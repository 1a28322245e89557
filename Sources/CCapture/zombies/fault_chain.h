// First in the chain of those who handle faults; the program's own handlers are called as the kernel would call them.
#ifndef GP_ZOMBIES_FAULT_CHAIN_H
#define GP_ZOMBIES_FAULT_CHAIN_H

// Takes SIGSEGV and SIGBUS over from whoever has them.
void gp_fault_chain_begin(void);

#endif
