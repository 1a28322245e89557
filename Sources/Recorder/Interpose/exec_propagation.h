// A program that takes this one's place or is started by it, with what the recorder hands on to it.
#pragma once

#include <alloca.h>
#include <stdbool.h>
#include <stddef.h>

// Room for an environment: on the stack, since nothing may be allocated between fork and exec. A huge one is mapped.
#define GP_ROOM(size) ((size) <= GP_STACK_ROOM ? alloca(size) : gp_exec_map(size))
#define GP_LEAVE_ROOM(room, size) ((size) <= GP_STACK_ROOM ? (void)0 : gp_exec_unmap(room, size))

enum { GP_STACK_ROOM = 16 << 10 };

void *gp_exec_map(size_t size);
void gp_exec_unmap(void *room, size_t size);

typedef enum {
    GP_SUCCESSOR_MISSING,  // there is no such program to run, as far as is known here
    GP_SUCCESSOR_STRANGER,  // it is not recorded; that is noted for the tool
    GP_SUCCESSOR_RECORDED,  // the recording is handed on to it
} gp_exec_plan;

// What `name` becomes when it takes this process's place. `searches`: it is looked for on the search path.
gp_exec_plan gp_exec_by_exec(const char *name, bool searches);

// The same for a program that this process starts.
gp_exec_plan gp_exec_by_spawn(const char *name, bool searches);

// Notes for the tool that a program which this process starts is not recorded, with the reason as the end of a sentence.
void gp_exec_refused(const char *program, const char *reason);
