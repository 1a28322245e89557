// Faults in the frozen child. While the heap is marked, an unreadable page is made readable and the reading goes on;
// while labels are made, a fault or a lock that a stopped thread holds ends that label and nothing else.
#pragma once

#include <stdbool.h>

// Installs the handlers. Only in the frozen child.
void gp_fault_guard_prepare(void);

// Calls `work` and returns true, or false when it faulted, aborted or took longer than `milliseconds`.
bool gp_fault_guard_run(void (*work)(void *context), void *context, unsigned milliseconds);
