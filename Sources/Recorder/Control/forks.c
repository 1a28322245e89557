#include "forks.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "dormant.h"
#include "exec_environment.h"
#include "recording.h"
#include "system.h"
#include "trace_writer.h"

// In memory that all of them share.
static _Atomic int32_t *children;
static long own;  // the process that fork made last, of this one and those it came from; negative: it is recorded
static __thread int saved __attribute__((tls_model("initial-exec")));
static __thread uint32_t followed __attribute__((tls_model("initial-exec")));  // what the child records

// These stand next to the kernel's call, which sets errno where it fails.
static void before(void) {
    saved = errno;
    followed = gp_recording_before_fork();
    errno = 0;
}

static void in_parent(void) {
    if (errno == 0)
        atomic_fetch_add(children, 1);
    errno = saved;
}

static void in_child(void) {
    const bool is_recorded = followed && gp_recording_begin_in_child(followed);
    own = gp_system(getpid, 0);
    if (gp_recording_is_dormant)
        gp_dormant_begin_in_child();
    if (is_recorded) {
        atomic_fetch_sub(children, 1);
        own = -own;
    }
    errno = saved;
}

void gp_forks_watch(void) {
    const long page = gp_system_map(sizeof *children, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page < 0 && page > -4096)
        return;
    children = (_Atomic int32_t *)page;
    pthread_atfork(before, in_parent, in_child);
}

// A child that shares its parent's memory (vfork, posix_spawn) was not counted. One that was recorded counts once its recording
// has ended.
void gp_forks_replace(bool begins) {
    const long self = gp_system(getpid, 0);
    if (begins ? own == -self : own == self && gp_recording_runs())
        own = -own;
    else if (children && own == self)
        atomic_fetch_add(children, begins ? -1 : 1);
}

void gp_forks_explain(struct gp_thread *thread) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    const int32_t count = children ? atomic_load(children) : 0;
    if (count <= 0 || own < 0 || atomic_flag_test_and_set(&said))
        return;
    const bool can_be = gp_exec_environment_trace() && !gp_exec_environment_by_fork() && gp_recording_suits_forks();
    char note[256];
    snprintf(note, sizeof note,
             "%d process%s that the program made by fork, and that started no other program, %s not recorded: nothing "
             "is known of %s memory.%s",
             count, count == 1 ? "" : "es", count == 1 ? "was" : "were", count == 1 ? "its" : "their",
             can_be ? " The option --follow records them." : "");
    gp_write_note(thread, note);
}
