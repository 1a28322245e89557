// What the recorder knows of the running process, for figures that leave it while it runs. Nothing here stops a thread, and
// all of it returns nothing when nothing is recorded.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What sampled blocks stand for: each is corrected by its own chance p = 1 − e^(−S/R), then they are added up.
typedef struct {
    uint64_t samples;
    uint64_t observed;  // bytes of the sampled blocks themselves
    double count, bytes;  // 1/p, S/p
    double count_variance, bytes_variance;  // (1 − p)/p², S²(1 − p)/p²
} gp_sample_sum;

/// Blocks of one stack and one type.
typedef struct {
    uint32_t stack;  // 0: not known, or of stacks and types for which there was no room
    uint32_t type;  // 0: no Swift object
    bool is_live;  // else they were freed
    gp_sample_sum sum;
} gp_figure_row;

typedef void (*gp_figure_visitor)(const gp_figure_row *row, void *context);

/// Mean bytes between two samples; 0: blocks are not sampled in this process.
uint64_t gp_figures_mean(void);

/// All blocks that were sampled so far.
gp_sample_sum gp_figures_made(void);

/// Calls `visit` for each stack and type of the sampled blocks: those that live, then those that were freed. No lock is held
/// meanwhile. What is freed during the call may be counted twice, as live and as freed. False: blocks are not sampled, or
/// another thread is collecting. Costs about 3 ms, 0.5 µs for each living sample, and 4 MB for as long as it takes.
bool gp_figures_collect(gp_figure_visitor visit, void *context);

/// Of a frame of a stack: the address of its instruction, or the return address behind it.
typedef struct {
    uint64_t address;
    bool is_exact;
} gp_figure_frame;

/// Writes the frames of a stack, innermost first, at most `capacity`, and returns how many.
size_t gp_figures_stack(uint32_t stack, gp_figure_frame *frames, size_t capacity);

/// Writes the name of a type with its module, NUL-terminated, empty where it has none, and returns what kind of heap object it
/// is: GP_TYPE_* of TraceFormat.h; −1: not known. Its image may be unloaded. `capacity`: at least 1.
int gp_figures_type_name(uint32_t type, char *name, size_t capacity);

/// Nanoseconds of CPU time between two samples of a thread; 0: CPU time is not sampled in this process.
uint64_t gp_figures_cpu_period(void);

/// Counts samples of CPU time from here on. False: they are counted already, or CPU time is not sampled.
bool gp_figures_cpu_begin(void);

/// Ends that and calls `visit` with each stack and its samples; stack 0: of stacks for which there was no room.
void gp_figures_cpu_end(void (*visit)(uint32_t stack, uint64_t samples, void *context), void *context);

// Times of frames are counted in the program itself, whether it is recorded or not.

enum { GP_FRAME_TIME_BUCKETS = 18, GP_FRAME_LOOPS_MOST = 16, GP_FRAME_NAME_LONGEST = 63 };

/// The frames of a loop.
typedef struct {
    char name[GP_FRAME_NAME_LONGEST + 1];
    uint64_t frames;
    uint64_t nanoseconds;  // all together
    uint64_t
        buckets[GP_FRAME_TIME_BUCKETS];  // up to the bound, and longer than the one before; what is longer is in none
} gp_frame_times;

/// The bounds of the buckets in nanoseconds, ascending.
extern const uint64_t gp_frame_time_bounds[GP_FRAME_TIME_BUCKETS];

/// True once gp_frame_times_begin was called.
extern volatile bool gp_frame_times_are_counted;

/// Counts the times between frames from here on. Costs about 40 ns a frame.
void gp_frame_times_begin(void);

/// Writes what was counted, at most `capacity` loops, and returns how many.
size_t gp_frame_times_read(gp_frame_times *list, size_t capacity);

/// A frame of the loop ends.
void gp_frame_times_count(const uint8_t *name, size_t length);
