// Writes what was seen into the trace.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "quarantine.h"

struct gp_thread;

typedef struct {
    uint8_t access;  // GP_ACCESS_*
    uint8_t flags;  // GP_ZOMBIE_*, with those of the slot
    int64_t offset;
    bool or_behind;  // it may have been any word from `offset` on
    uint32_t stack;
    uintptr_t fault, pc, member;
    uint32_t thread;  // that used it, 0: the one that reports
    uint64_t time_ns;  // 0: now
} gp_zombie_use;

enum { GP_REPORTS_MOST = 4096 };

// The use of a quarantined block. At most a few uses of one block are written, and GP_REPORTS_MOST in all.
void gp_zombie_report(struct gp_thread *thread, gp_quarantine_slot *slot, const gp_zombie_use *use);

// With the uses that wait to be reported (first_word.h).
void gp_zombie_write_summary(struct gp_thread *thread);
