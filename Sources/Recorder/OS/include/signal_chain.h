// Signals that the recorder sees before the program does: faults on dead objects, the traps that ask for samples, the signal
// that stops threads.
// The program's own actions are kept, told to it when it asks, and called as the kernel would call them.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "arch.h"

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

// sigaction(2) of a chained signal. `put_off`: signals that wait until the handler of `action` is done, a bit each, beside those
// that it names. Returns 0, or −1 with errno.
int gp_signal_chain_set_action(int signal, const struct sigaction *action, uint64_t put_off, struct sigaction *old);

// Another program is about to take this one's place: what this one ignores it shall ignore too, and no handler survives.
// `gp_signal_chain_resume`: it did not come to that. Async-signal-safe, also in a child made by fork.
void gp_signal_chain_hand_on(void);
void gp_signal_chain_resume(void);

// Room for what the recorder does in a signal's handler. An alternate stack of the program's may have little more than the
// handler of its own needs, and what lies below it is the program's.

// How many bytes the alternate stack has left on which a handler runs; UINTPTR_MAX: it runs on none.
static inline uintptr_t gp_signal_stack_room(const void *context) {
    const stack_t *alternate = &((const ucontext_t *)context)->uc_stack;
    const uintptr_t room = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)alternate->ss_sp;
    return !(alternate->ss_flags & SS_DISABLE) && room < alternate->ss_size ? room : UINTPTR_MAX;
}

// Calls `claim`, on a stack of the recorder's when the handler runs on a small alternate one.
bool gp_claim_with_room(gp_signal_claim claim, siginfo_t *info, void *context);

// The same in the functions that a handler of the program's calls.

typedef struct {
    uintptr_t low, size;
} gp_alternate_bounds;

// The end of the alternate stack that the program set for the calling thread, where there is little room; size 0: it set none,
// or past the C library.
extern __thread gp_alternate_bounds gp_alternate_end __attribute__((tls_model("initial-exec"), visibility("hidden")));

void gp_alternate_end_note(const stack_t *alternate);

static inline bool gp_stack_has_little_room(void) {
    return (uintptr_t)__builtin_frame_address(0) - gp_alternate_end.low < gp_alternate_end.size;
}

// Calls `function`, on a stack of the recorder's where this one has little room; signals but those of faults wait then.
void gp_call_with_room(void (*function)(void *argument), void *argument);

// Where the thread was when it went over to a stack of the recorder's.
typedef struct {
    gp_registers at;  // of a function of the recorder
    uintptr_t sp;  // what lies below is nobody's
    uintptr_t registers[GP_PRESERVED_COUNT];
} gp_switched_stack;

// NULL: it is on its own.
extern __thread const gp_switched_stack *gp_switched_from
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// The registers of this function's caller, or where the thread left its own stack.
#define GP_REGISTERS_OF_STACK() (gp_switched_from ? gp_switched_from->at : GP_CALLER_REGISTERS())
