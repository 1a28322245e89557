// Which live blocks may be growth, by type and allocation stack: those whose number rose from each repetition of a scenario
// to the next, and at exit those that are many. Their paths from a root are reported without being asked for.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count_rows.h"

// Makes the memory in which each snapshot's child finds what the one before it counted. In the recorded process.
void gp_growth_prepare(void);

// A snapshot's count begins. `name`: a repetition's ("game #3", or the same for each); NULL or a name of the recorder's
// own: none. In the frozen child, as all that follows.
void gp_growth_begin(const char *name, bool at_exit);

// Takes a row of the census. `is_class`: its blocks are instances of a class.
void gp_growth_take(gp_count_row row, bool is_class);

// The rows that may grow; `*count` of them.
const gp_count_row *gp_growth_rows(size_t *count);
