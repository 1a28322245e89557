// What the program does with files, sockets and pipes: calls, bytes and time by file, call stack and kind of call, and which
// descriptors are open when the recording ends. The hooks of the C library's functions call this once the call is done; none
// of these functions changes errno. A thread that is inside the recorder counts nothing: those calls are the recorder's own.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "TraceFormat.h"
#include "arch.h"
#include "instrument.h"
#include "recording_state.h"

extern const gp_instrument gp_files_instrument;

// Whether calls are counted. False in a child made by fork. Async-signal-safe.
static inline bool gp_files_are_recorded(void) {
    return gp_recording_runs() && gp_recording.instruments & GP_INSTRUMENT_FILES;
}

// The moment before a call, for gp_file_call. ~12 ns where the processor has a steady counter.
extern __attribute__((visibility("hidden"))) bool gp_file_reads_ticks;
uint64_t gp_file_slow_ticks(void);

static inline uint64_t gp_file_ticks(void) {
    return __builtin_expect(gp_file_reads_ticks, 1) ? gp_ticks() : gp_file_slow_ticks();
}

// A call that is done.
typedef struct {
    gp_registers caller;
    uint64_t began;  // gp_file_ticks before it
    int error;  // errno where it failed, else 0
} gp_file_call;

// Bytes went through an open descriptor. `operation`: GP_FILE_READ, GP_FILE_WRITE, GP_FILE_SYNC. `bytes`: 0 where the call failed.
void gp_file_transferred(int descriptor, uint8_t operation, uint64_t bytes, gp_file_call call);

// A descriptor was opened; negative: none was. `kind`: GP_FILE_*. `folder`: descriptor of the folder that a relative `name` stands
// in, −1: the working one. `name` is not looked at where the call failed.
void gp_file_opened(int descriptor, uint8_t kind, int folder, const char *name, gp_file_call call);

// A connection was accepted; negative: none was. Its name has the host of its peer, and not the port, which no other has.
void gp_file_accepted(int descriptor, gp_file_call call);

// A socket was connected to `address`, which is its name from here on. `address` is not looked at where the kernel did not.
void gp_file_connected(int descriptor, const struct sockaddr *address, size_t length, gp_file_call call);

// `descriptor` was made to stand for what `original` stands for; it is closed before if it was open.
void gp_file_duplicated(int original, int descriptor, gp_file_call call);

// What a descriptor stands for is taken off the list before it is closed: another thread may be given its number at once.
typedef struct {
    uint32_t file;  // 0: not known
} gp_file_closing;

gp_file_closing gp_file_close_begins(int descriptor);
void gp_file_closed(int descriptor, gp_file_closing closing, gp_file_call call);

// All descriptors from `first` to `last` were closed.
void gp_file_range_closed(unsigned first, unsigned last, gp_file_call call);

// From now on the kernel is not asked what an unknown descriptor is: the program filters its system calls.
void gp_files_ask_no_more(void);
