// SIGINT, SIGTERM and SIGHUP that end the program because it has no handler for them: the recording comes to its end before.
// The program ends by the signal all the same, is shown the default action, and keeps its own actions.
#ifndef GP_TERMINATION_H
#define GP_TERMINATION_H

#include <signal.h>
#include <stdbool.h>

// From now on `finish` is called before such a signal ends the program, in the signal's handler, on the stack of the thread
// that it interrupted. Does nothing in the first process of a container, which these signals do not end.
void gp_termination_begin(void (*finish)(void));

// The signals end the program at once again. Async-signal-safe.
void gp_termination_end(void);

bool gp_termination_watches(int signal);

// Puts the recorder's handler in the place of the default action; other actions stay.
void gp_termination_stand_in(int signal, struct sigaction *wanted);

// Shows the default action in the place of the recorder's handler.
void gp_termination_hide(int signal, struct sigaction *found);

#endif
