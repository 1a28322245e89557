#include "perf_event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include "../recorder/file.h"
#include "../recorder/system.h"

static long send_signal(int event, uint32_t thread, int signal) {
    struct f_owner_ex owner = {F_OWNER_TID, (pid_t)thread};
    long result = gp_system(fcntl, event, F_SETOWN_EX, &owner);
    if (result >= 0)
        result = gp_system(fcntl, event, F_SETSIG, signal);
    if (result >= 0)
        result = gp_system(fcntl, event, F_SETFL, O_ASYNC | O_NONBLOCK);
    return result >= 0 ? gp_system(ioctl, event, PERF_EVENT_IOC_ENABLE, 0) : result;
}

int gp_perf_event_open(uint32_t thread, uint64_t period_ns, int signal) {
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof attributes,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = period_ns,
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .wakeup_events = 1,
    };
    long event = gp_system(perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (event < 0)
        return (int)event;
    event = gp_file_move_high((int)event);
    long result = send_signal((int)event, thread, signal);
    if (result < 0) {
        gp_system(close, event);
        return (int)result;
    }
    return (int)event;
}

void gp_perf_event_close(int event) {
    gp_system(ioctl, event, PERF_EVENT_IOC_DISABLE, 0);
    gp_system(close, event);
}

const char *gp_perf_event_refusal(int error) {
    switch (-error) {
    case EACCES:
    case EPERM:
        return "perf events are not permitted (perf_event_paranoid, or a container's filter)";
    case EMFILE:
    case ENFILE:
        return "too many files are open for perf events";
    case ENOSYS:
    case ENOENT:
    case EOPNOTSUPP:
        return "the kernel has no perf events";
    default:
        return "perf events do not work here";
    }
}
