#include "kernel_signals.h"

#include <string.h>
#include <unistd.h>

#include "recording_state.h"
#include "signal_chain.h"
#include "system.h"

enum { FIRST = 62, LAST = 40 };

static int chosen = FIRST;

int gp_stop_signal(void) {
    return chosen;
}

void gp_stop_signal_choose(void) {
    if (gp_signal_is_chained(chosen))
        return;
    for (chosen = FIRST; chosen > LAST && !gp_signal_is_unused(chosen);)
        chosen--;
}

void gp_stop_signal_do_without(void) {
    if (!gp_recording_is_dormant)
        chosen = 0;
}

// Its address marks the signals that the recorder sends.
static const char mark;

bool gp_stop_signal_is_ours(const siginfo_t *info) {
    return info->si_code == SI_QUEUE && info->si_value.sival_ptr == &mark;
}

long gp_stop_signal_send(uint32_t thread) {
    const long process = gp_system(getpid, 0);
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = chosen;
    info.si_code = SI_QUEUE;
    info.si_pid = (pid_t)process;
    info.si_value.sival_ptr = (void *)&mark;
    return gp_system(rt_tgsigqueueinfo, process, thread, chosen, &info);
}
