// How a recording reaches the program that this process becomes (exec), and when asked for those that it starts.
//
// A launcher — a program of the system, by GAMEPROF_FOLLOW=beyond:FOLDER:… — hands it on to all that it starts; where it is
// itself started by another it only passes it on.
//
// The recorder takes its variables out of the environment at start. They are kept here, and put back into the
// environment of a successor only: what the program and its other children see stays as without the recorder.
// Everything here may run between fork and exec, and in a child that shares its parent's memory: nothing allocates,
// locks or sets errno.
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

// Programs that this process is about to run.

enum { GP_SEGMENTS_MOST = 64 };

// Room for what would be too much for a small stack.
typedef struct {
    char path[4096];
    char note_path[4096];
    char line[1024];
    Elf64_Phdr segments[GP_SEGMENTS_MOST];
} gp_program_room;

// Finds `name` as execvp does. False: there is no program of that name that could be run.
bool gp_program_find(const char *name, bool searches, char *path, size_t capacity);

// Why the recorder cannot enter the program at `path`, as the end of a sentence (“is fully static”); NULL: it can.
// Of a script that is asked of its interpreter.
const char *gp_program_refusal(const char *path, gp_program_room *room);

// Keeps copies of the recorder's variables and of its entry in LD_PRELOAD (`library`, `length` bytes).
void gp_exec_environment_keep(const char *const *variables, size_t count, const char *library, size_t length);

// The same in a preloaded copy, for the recorder that the program links: posix_spawn, system and popen are functions of the
// preloaded copy alone.
void gp_exec_environment_hand_on(const char *const *variables, size_t count, const char *library, size_t length);

// The path of the trace that was asked for: that of the first program of the recording. NULL: nothing is handed on.
const char *gp_exec_environment_trace(void);

// Whether the program that this process becomes is recorded: it is the recorded process, or children are followed.
bool gp_exec_environment_by_exec(void);

// Whether the programs that this process starts are recorded.
bool gp_exec_environment_by_children(void);

// Whether children that this process makes by fork are recorded as what they are.
bool gp_exec_environment_by_fork(void);

// Whether the tool has said that it keeps a lock beside the trace as long as it lives.
bool gp_exec_environment_names_tool(void);

// Whether this process is a launcher that is not recorded itself.
bool gp_exec_environment_only_passes(void);

// What gp_exec_environment_fill needs for an environment. Other threads may change that at any time.
typedef struct {
    size_t variables, list, bytes;  // `list`: of LD_PRELOAD's value; `bytes`: of the room
} gp_exec_environment_need;

// A few system calls for each variable.
gp_exec_environment_need gp_exec_environment_measure(char *const *environment);

// Writes into `room` the environment with the recorder's variables in it, and returns it.
char **gp_exec_environment_fill(char *const *environment, gp_exec_environment_need need, void *room);

// The bytes that gp_exec_environment_command writes.
size_t gp_exec_environment_command_size(const char *line);

// Writes into `room` a command for a shell that does what `line` does, in a shell that has the recorder's variables in its
// environment, and returns it. For who cannot be given an environment of its own.
char *gp_exec_environment_command(const char *line, char *room);

// Replaces the path of a recording by that of this successor's: PATH.PID.N, which it creates empty. False: it cannot.
bool gp_exec_environment_own_path(char *path, size_t capacity);

// Notes for the tool that this process becomes (`by_exec`) or starts `program`, which is not recorded. `reason` says why it
// cannot be; NULL: nobody asked for it.
void gp_exec_environment_note(bool by_exec, const char *program, const char *reason, gp_program_room *room);

// Notes for the tool how a child ended that this process has waited for: by a signal, or with an exit code that is not 0. Only
// where children are recorded.
void gp_exec_environment_note_end(long child, bool by_signal, int number);

// From now on ends are not noted: the program filters its system calls.
void gp_exec_environment_note_no_ends(void);
