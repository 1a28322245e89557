// Signals that end the program because it has no handler for them: before a request (SIGINT, SIGTERM, SIGHUP) the recording
// comes to its end, before SIGABRT or a fault it is told. The program ends by the signal all the same, is shown the default
// action, and keeps its own actions.
#pragma once

#include <signal.h>
#include <stdbool.h>

// `info`, `context`: of the signal's handler; NULL: abort() was called, whose signal meets a handler of the program's.
typedef void gp_crash_observer(siginfo_t *info, void *context);

// From now on `finish` is called before a request ends the program, in the signal's handler, on the stack of the thread that
// it interrupted, and `crash` before SIGABRT or a fault does, once, on a stack with room; NULL: nothing is. Requests do not
// end the first process of a container: there they stay as they are.
void gp_termination_begin(void (*finish)(int signal), gp_crash_observer *crash);

// The signals end the program at once again. Async-signal-safe.
void gp_termination_end(void);

// Somebody else's handler is about to let a signal end the program: calls `crash`. Async-signal-safe.
void gp_termination_crashes(siginfo_t *info, void *context);

// The program's `action` is about to be called for a signal: calls `crash` where it is the Swift runtime's handler, which lets
// the signal end the program when it has printed a backtrace. Async-signal-safe.
void gp_termination_before(const struct sigaction *action, siginfo_t *info, void *context);

// abort() was called: calls `crash` where its signal meets a handler of the program's first. Async-signal-safe.
void gp_termination_aborts(void);

// SIGABRT and faults end the program at once again.
void gp_termination_let_crash(void);

bool gp_termination_watches(int signal);

// Whether it is the Swift runtime's handler, which prints a backtrace.
bool gp_termination_is_reporter(const struct sigaction *action);

// Puts the recorder's handler in the place of the default action and before the Swift runtime's; other actions stay.
void gp_termination_stand_in(int signal, struct sigaction *wanted);

// Shows the action in whose place the recorder's handler stands.
void gp_termination_hide(int signal, struct sigaction *found);
