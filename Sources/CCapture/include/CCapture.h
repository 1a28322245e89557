// What the rest of the program may ask of the recorder. Everything else is under internal/.
#ifndef GP_CCAPTURE_H
#define GP_CCAPTURE_H

#include <stdbool.h>
#include <stdint.h>

/// Begins recording into the trace file `path`. `instruments` are GP_INSTRUMENT_* of TraceFormat.h. Returns NULL, or
/// one sentence that says why not (static memory). The environment variable GAMEPROF_TRACE does the same at load.
const char *gp_start(const char *path, uint32_t instruments);

/// Ends recording: writes what is in memory and marks the file as finished. Safe to call twice.
void gp_stop(void);

/// True between gp_start and gp_stop.
bool gp_is_recording(void);

/// Takes a heap snapshot now and appends its analysis to the trace. The calling thread waits for the analysis, the
/// others are stopped only while the heap is frozen. Returns false when nothing is recorded or no process could be made.
bool gp_snapshot(const char *name);

#endif
