// A program that takes this one's place or is started by it, with what the recorder hands on to it.
#ifndef GP_SUCCESSOR_H
#define GP_SUCCESSOR_H

#include <alloca.h>
#include <stdbool.h>
#include <stddef.h>

// Room for an environment: on the stack, since nothing may be allocated between fork and exec. A huge one is mapped.
#define GP_ROOM(size) ((size) <= GP_STACK_ROOM ? alloca(size) : gp_successor_map(size))
#define GP_LEAVE_ROOM(room, size) ((size) <= GP_STACK_ROOM ? (void)0 : gp_successor_unmap(room, size))

enum { GP_STACK_ROOM = 16 << 10 };

void *gp_successor_map(size_t size);
void gp_successor_unmap(void *room, size_t size);

typedef enum {
    GP_SUCCESSOR_MISSING,  // there is no such program to run, as far as is known here
    GP_SUCCESSOR_STRANGER,  // it is not recorded; that is noted for the tool
    GP_SUCCESSOR_RECORDED,  // the recording is handed on to it
} gp_successor;

// What `name` becomes when it takes this process's place. `searches`: it is looked for on the search path.
gp_successor gp_successor_by_exec(const char *name, bool searches);

// The same for a program that this process starts.
gp_successor gp_successor_by_spawn(const char *name, bool searches);

// Notes for the tool that a program which this process starts is not recorded, with the reason as the end of a sentence.
void gp_successor_refused(const char *program, const char *reason);

#endif
