// The two files of a recording: the trace, and beside it the spool in which every thread has the chunk that it fills.
#ifndef GP_SPOOL_H
#define GP_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "slow_path.h"

// Creates both files. NULL, or one sentence that says why not.
const char *gp_spool_open(const char *path);

// A mapped block of the spool for one writer, zeroed. NULL: the disk is full or the files are closed.
gp_chunk_header *gp_spool_block(void);

// The place in the trace of a chunk that begins now.
uint64_t gp_spool_next_sequence(void);

// Copies a chunk to its place in the trace. False: it could not be written (the chunk stays readable in the spool).
bool gp_spool_write(const gp_chunk_header *chunk);

// Counts events that could not be stored.
GP_SLOW_PATH void gp_spool_drop(uint64_t events);

// Marks the trace as finished. `complete`: every chunk is in the trace, so that the spool is removed.
void gp_spool_close(bool complete);

// Says why nothing is recorded: a preloaded recorder in a file `<path>.error` for the tool to read, since the program's
// standard error is its own; a linked one on standard error.
void gp_spool_report(const char *path, const char *sentence);

#endif
