// Faults in the frozen child. While the heap is marked, an unreadable page is made readable and the reading goes on;
// while labels are made, a fault or a lock that a stopped thread holds ends that label and nothing else.
#ifndef GP_GUARD_H
#define GP_GUARD_H

#include <stdbool.h>

// Installs the handlers. Only in the frozen child.
void gp_guard_prepare(void);

// Calls `work` and returns true, or false when it faulted, aborted or took longer than `milliseconds`.
bool gp_guard_run(void (*work)(void *context), void *context, unsigned milliseconds);

#endif
