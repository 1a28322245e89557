// The frozen copy of the process: a child made by a raw clone, whose end nobody but its maker learns (no SIGCHLD, not
// seen by wait()), and the page through which the two speak.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "CRecorderInterface.h"

typedef struct {
    _Atomic uint32_t done;  // set by the child before it ends
    _Atomic uint32_t progress;  // counted up by the child: it lives
    _Atomic uint64_t pause_ns;  // set by the parent after the threads run again
    gp_lost lost;  // what nothing reaches, set by the child
} gp_freeze_page;

// The shared page, NULL: no memory. Made once in each process.
gp_freeze_page *gp_freeze_prepare(void);

// Clones. Returns 0 in the child, its process id in the parent, a negative errno when it failed.
long gp_freeze_clone(void);

// In the child, first of all: where memory is short the kernel ends it and no other; nobody's signal handlers, an early end
// when the thread that made it ends or `parent`, its process, has ended already.
void gp_freeze_enter_child(long parent);

// In the child, last of all.
_Noreturn void gp_freeze_leave_child(gp_freeze_page *page);

// In the parent: waits for the child; kills it when it makes no progress for `seconds`, is no longer wanted or leaves
// hardly any memory. Why it has no result; NULL: it ended in good order. `is_superseded`: NULL: it is wanted to its end.
const char *gp_freeze_wait(gp_freeze_page *page, long pid, uint32_t seconds, bool (*is_superseded)(void));

// Memory that the frozen copy leaves to the program, in bytes.
enum { GP_FREEZE_RESERVE = 8 << 20 };

// Faults in the frozen child: an unreadable page is made readable and the reading goes on.

// Installs the handlers. Only in the frozen child.
void gp_fault_guard_prepare(void);

// How much memory this process may still take before the kernel ends one: of the machine, and of its memory cgroup and those
// above it.

// In bytes; what the kernel can take back at once (pages of files that nobody used lately) is counted in. UINT64_MAX: no
// limit is known. A few reads of files.
uint64_t gp_memory_room(void);

// Of the cgroups alone. `membership`: what /proc/self/cgroup says; `root`: where cgroups are mounted.
uint64_t gp_memory_room_of_cgroups(const char *membership, const char *root);
