// What the program may ask of the recorder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Figures.h"
#include "Probes.h"

/// Begins recording into the trace file `path`. `instruments` are GP_INSTRUMENT_* of TraceFormat.h. Returns NULL, or
/// one sentence that says why not (static memory). The environment variable GAMEPROF_TRACE does the same at load.
const char *gp_start(const char *path, uint32_t instruments);

/// Ends recording: writes what is in memory and marks the file as finished. Safe to call twice.
void gp_stop(void);

/// True between gp_start and gp_stop.
bool gp_is_recording(void);

/// The absolute path of the trace file that is being written, NULL when nothing is recorded. Valid until the process ends.
const char *gp_trace_path(void);

/// Takes a heap snapshot now and appends its analysis to the trace. The calling thread waits for the analysis, the
/// others are stopped only while the heap is frozen. Returns false when nothing is recorded or no process could be made.
bool gp_snapshot(const char *name);

/// What nothing could reach when the last snapshot was taken.
typedef struct {
    bool known;  // the snapshot is sound
    uint64_t blocks;  // with a stack
    uint64_t digest;  // of their addresses, in any order
    uint64_t hidden;  // groups of objects that are lost unless a running thread, whose stack shows them, uses them
} gp_lost;

/// What the last snapshot found lost, without reading it back from the trace.
gp_lost gp_last_lost(void);

/// Has this process search the heap snapshots that it asks for from here on: the frozen copy of each connects to the unix socket
/// `socket` (HeapSearch.h; an abstract one where the name begins with @), at which a thread of this process waits. NULL: no more.
/// The name is copied. False: a tool searches them, and nobody will connect. A snapshot at the program's end is not searched there.
bool gp_search_at(const char *socket);

/// Runs `run` on a new thread that is no part of the program, and neither are the threads that it makes: nothing that they
/// allocate is recorded, and what their stacks and registers name is not held by them. They get no signals, and have descriptors
/// of their own from Linux 5.9 on. False: nothing is recorded, the program has set a filter of system calls, or no thread could
/// be made.
bool gp_hidden_thread(void (*run)(void));

/// Begins a generation: the report says which of the blocks that are allocated from here up to the next mark still live
/// in the last snapshot. Costs a record. False: nothing is recorded, or 127 marks were set already.
bool gp_mark(const char *name);

// Names of the marks around a memory warning: the report says how many bytes lived at each of the two.
#define GP_MEMORY_WARNING "memory warning"
#define GP_MEMORY_WARNING_HANDLED "memory warning handled"

/// Calls `handler` at each memory warning, on the thread that sends it, in place of an earlier one; NULL: none.
void gp_on_memory_warning(void (*handler)(void));

/// Sends a memory warning: sets a mark, calls the handler if there is one, and sets a second mark. Works without a recording.
void gp_send_memory_warning(void);

/// Sends memory warnings by itself from now on, from a thread of the recorder: whenever the process comes to hold `limit`
/// resident bytes (0: no limit), is held back at `memory.high` of its cgroup, or waits for memory for more than a tenth of the
/// time (`memory.pressure`); once a second at most. Works without a recording; with one it ends with the recording.
void gp_send_memory_warnings(uint64_t limit);

/// Expects the object to be deallocated from here on: the next snapshot, at exit at the latest, reports it if it lives.
/// Does not retain it. `file`: text that stays. False: nothing is recorded, or the object is not on the heap.
bool gp_expect_deallocated(const void *object, const char *file, uint32_t line);

/// An object that was expected to be deallocated and is not. Another thread may deallocate it now.
typedef struct {
    uint64_t metadata;  // of its class
    const char *file;
    uint32_t line;
} gp_unmet_expectation;

/// Writes what was expected to be deallocated and still lives, at most `capacity`, and returns how many there are.
size_t gp_unmet_expectations(gp_unmet_expectation *list, size_t capacity);

/// Objects that were used after their deallocation, in the order of their first use: writes those from number `first` (0, 1,
/// 2 …) on, at most `capacity`, by the metadata of their classes (0: no Swift object), and returns how many. The first 256 are
/// known.
size_t gp_used_zombies(size_t first, uint64_t *metadata, size_t capacity);

/// Blocks of one type and one stack that belong to a scoped counter.
typedef struct {
    uint64_t metadata;  // address of the type's metadata; 0: not a Swift object
    uint32_t type;  // its number in the trace
    uint32_t stack;  // that allocated them, its number in the trace
    uint64_t count, bytes;
} gp_counter_row;

/// Begins to count the blocks that the code allocates for which `here` returns this counter's number. `here` is called at
/// each allocation, in its thread, inside malloc: it may neither allocate nor lock. One function serves all counters.
/// Returns 0 when allocations are not recorded or 4,095 counters are open. Costs a call of `here` for each allocation.
uint64_t gp_counter_begin(uint64_t (*here)(void));

/// Ends a counter and writes what it counted, at most `capacity` rows; returns how many there are. `omitted`: blocks beside
/// them. A block that is moved by realloc counts as two. Costs a walk over the table of live blocks.
size_t gp_counter_end(uint64_t counter, gp_counter_row *rows, size_t capacity, uint64_t *omitted);

/// Writes the name of a type with its module, NUL-terminated, and returns its length; 0: it has no name, or is no type of
/// objects.
size_t gp_class_name(uint64_t metadata, char *name, size_t capacity);

/// The kernel's number of the calling thread.
uint32_t gp_kernel_thread(void);

/// Writes a line of the program's debug log into the trace. Does nothing when nothing is recorded.
void gp_log(const char *file, uint32_t line, const char *message, size_t length);

// What follows looks at a living Swift object, also while nothing is recorded. The object must stay alive and unchanged
// during the call.

typedef struct {
    uint32_t strong, unowned, weak;
} gp_object_counts;

/// The object's reference counts; 0 where it is never deallocated.
gp_object_counts gp_object_count(const void *object);

/// Writes the name of the object's type with its module, NUL-terminated, and returns its length; 0: it has no name, or is
/// no object. Any address may be asked for. Costs a system call.
size_t gp_object_type_name(const void *object, char *name, size_t capacity);
