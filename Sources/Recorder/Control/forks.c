#include "forks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "recording_state.h"
#include "system.h"
#include "trace_writer.h"

// In memory that all of them share.
static _Atomic int32_t *children;

static void count_one(void) {
    atomic_fetch_add(children, 1);
}

void gp_forks_watch(void) {
    const long page = gp_system_map(sizeof *children, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page < 0 && page > -4096)
        return;
    children = (_Atomic int32_t *)page;
    pthread_atfork(NULL, count_one, NULL);
}

// Of a child that shares its parent's memory (vfork, posix_spawn) nobody was told.
void gp_forks_replace(bool begins) {
    if (children && gp_recording.process == 0)
        atomic_fetch_add(children, begins ? -1 : 1);
}

void gp_forks_explain(struct gp_thread *thread) {
    const int32_t count = children ? atomic_load(children) : 0;
    if (count <= 0)
        return;
    char note[200];
    snprintf(note, sizeof note,
             "%d process%s that the program made by fork, and that started no other program, %s not recorded: nothing "
             "is known of %s memory.",
             count, count == 1 ? "" : "es", count == 1 ? "was" : "were", count == 1 ? "its" : "their");
    gp_write_note(thread, note);
}
