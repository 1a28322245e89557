#include "perf_event.h"

#include <string.h>
#include <time.h>

#include "read_clock.h"
#include "system.h"

// Its address marks the timers of this process's recorder.
static const char mark;

// The clock of one thread, as the kernel numbers it: CPUCLOCK_SCHED, of a thread.
static long clock_of(uint32_t thread) {
    return (long)(int)(~thread << 3 | 4 | 2);
}

int gp_cpu_timer_make(uint32_t thread, uint64_t first_ns, uint64_t period_ns, int signal) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signal;
    event.sigev_value.sival_ptr = (void *)&mark;
    event._sigev_un._tid = (pid_t)thread;
    int timer = -1;
    long result = gp_system(timer_create, clock_of(thread), &event, &timer);
    if (result < 0)
        return (int)result;
    struct itimerspec times = {.it_interval = gp_timespec(period_ns), .it_value = gp_timespec(first_ns)};
    result = gp_system(timer_settime, timer, 0, &times, NULL);
    if (result < 0) {
        gp_cpu_timer_remove(timer);
        return (int)result;
    }
    return timer;
}

void gp_cpu_timer_remove(int timer) {
    gp_system(timer_delete, timer);
}

bool gp_cpu_timer_sent(const siginfo_t *info) {
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark;
}

uint64_t gp_cpu_time(uint32_t thread) {
    return gp_clock_of_kernel(clock_of(thread));
}
