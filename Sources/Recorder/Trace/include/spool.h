// The two files of a recording: the trace, and beside it the spool in which every thread has the chunk that it fills.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "slow_path.h"

// Creates both files. `max_size`: how large the trace may become, in bytes or with K, M or G behind the number; 0 is any size,
// NULL GP_TRACE_MOST. `asked`: the trace that the tool asked for (this may be that of a program that it started), NULL:
// no tool waits for it. NULL, or one sentence that says why not.
const char *gp_spool_open(const char *path, const char *max_size, const char *asked);

// In a child made by fork: the files that are open stay the parent's, and others can be opened.
void gp_spool_leave(void);

// Recording goes on when the tool that asked for it is gone: events are dropped, hooks still run.
void gp_spool_outlive_tool(void);

#define GP_TRACE_MOST (16ull << 30)

// Whether another chunk may begin: the trace is smaller than it may become, and the tool that asked for it lives. When that
// tool is gone, recording ends here.
GP_SLOW_PATH bool gp_spool_has_room(void);

// Lets the trace become larger than it may, for what is recorded at the program's end. True: it was at its limit.
bool gp_spool_lift_limit(void);
// It was not the end.
void gp_spool_restore_limit(void);

// Whether the trace is as large as it may become, lifted or not.
bool gp_spool_is_full(void);

// The absolute path of the trace that was opened; empty: none was.
const char *gp_spool_trace_path(void);

// Whether the tool that asked for the recording is gone.
bool gp_spool_is_abandoned(void);

// The same before gp_spool_open. `is_announced`: the tool has said that it keeps a lock beside the trace `asked`.
bool gp_spool_tool_is_gone(const char *asked, bool is_announced);

// A mapped block of the spool for one writer, zeroed, in the place of one of an earlier spool (NULL: anywhere). NULL: the disk is
// full or the files are closed.
gp_chunk_header *gp_spool_block(gp_chunk_header *place);

// Other files can be opened after those that were closed.
void gp_spool_begin_again(void);

// The place in the trace of a chunk that begins now.
uint64_t gp_spool_next_sequence(void);

// Copies a chunk to its place in the trace. False: it could not be written (the chunk stays readable in the spool).
bool gp_spool_write(const gp_chunk_header *chunk);

// Counts events that could not be stored.
GP_SLOW_PATH void gp_spool_drop(uint64_t events);

// Marks the trace as finished. `complete`: every chunk is in the trace, so that the spool is removed.
void gp_spool_close(bool complete);

// Removes the files in its place.
void gp_spool_discard(void);

// Says why nothing is recorded: to the tool that asked for the trace `path` in a file `<path>.error`, since the program's
// standard error is its own; on standard error where no tool asked (NULL).
void gp_spool_report(const char *path, const char *sentence);
