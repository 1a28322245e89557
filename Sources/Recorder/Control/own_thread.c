#include "own_thread.h"

#include <limits.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "CRecorderInterface.h"
#include "kernel_signals.h"
#include "recording.h"
#include "system.h"
#include "task_list.h"
#include "thread.h"

// Names of deeply nested types are decoded by recursion.
enum { HIDDEN_STACK_BYTES = 64 << 20, STANDARD_FILES = 3 };

bool gp_own_thread_make(void *(*routine)(void *), void *argument, size_t stack_bytes) {
    gp_thread *creator = gp_recording_runs() ? gp_thread_current() : NULL;
    pthread_attr_t attributes;
    pthread_t thread;
    if (creator)
        creator->busy = true;
    const uint64_t before = gp_signal_set_mask(~(1ull << (gp_stop_signal() - 1)));
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const bool is_made = pthread_create(&thread, &attributes, routine, argument) == 0;
    pthread_attr_destroy(&attributes);
    gp_signal_set_mask(before);
    if (creator)
        gp_thread_leave(creator);
    return is_made;
}

// The numbers of the program's descriptors are the same with this thread, and what the program closes is closed.
static void leave_descriptors(void) {
    if (gp_system(close_range, 0, UINT_MAX, CLOSE_RANGE_UNSHARE) < 0)
        return;
    for (int file = 0; file < STANDARD_FILES; file++)
        gp_system(openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
}

static void *run_hidden(void *run) {
    gp_thread_current();
    gp_system(prctl, PR_SET_NAME, "gameprof search", 0, 0, 0);
    leave_descriptors();
    ((void (*)(void))run)();
    return NULL;
}

bool gp_hidden_thread(void (*run)(void)) {
    gp_thread *thread = gp_recording_runs() ? gp_thread_current() : NULL;
    if (!thread || thread->busy || gp_task_has_new_filter())
        return false;
    gp_thread_hides = true;
    const bool is_made = gp_own_thread_make(run_hidden, (void *)run, HIDDEN_STACK_BYTES);
    gp_thread_hides = false;
    if (is_made)
        gp_snapshot_thread_watch_the_others();
    return is_made;
}
