// Signals that the recorder sees before the program does: faults on dead objects, the traps that ask for samples, the signal
// that stops threads.
// The program's own actions are kept, told to it when it asks, and called as the kernel would call them.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

// True: the signal was the recorder's, and the program's action is not called. Asked of each that comes, those that were
// sent among them. Runs in the signal's handler.
typedef bool (*gp_signal_claim)(siginfo_t *info, void *context);

// Takes SIGSEGV, SIGBUS, SIGTRAP or one other signal over from whoever has it. Once for each; later calls do nothing.
// `ends`: called when a fault that was not claimed is about to end the program, as it has no handler; NULL: nothing is.
void gp_signal_chain_begin(int signal, gp_signal_claim claim, gp_signal_claim ends);

bool gp_signal_is_chained(int signal);

// Whether the kernel still calls the chain first: a program may set its action past the C library. A system call.
bool gp_signal_chain_is_first(int signal);

// Those of the chained signals that faults raise, a bit each: no thread may really block them (virtual_mask.h).
uint64_t gp_signal_chain_faults(void);

// sigaction(2) of a chained signal. Returns 0, or −1 with errno.
int gp_signal_chain_set_action(int signal, const struct sigaction *action, struct sigaction *old);

// Another program is about to take this one's place: what this one ignores it shall ignore too, and no handler survives.
// `gp_signal_chain_resume`: it did not come to that. Async-signal-safe, also in a child made by fork.
void gp_signal_chain_hand_on(void);
void gp_signal_chain_resume(void);

// Room for what the recorder does in a signal's handler. An alternate stack of the program's may have little more than the
// handler of its own needs, and what lies below it is the program's.

// Calls `claim`, on a stack of the recorder's when the handler runs on a small alternate one.
bool gp_claim_with_room(gp_signal_claim claim, siginfo_t *info, void *context);
