#include "perf_event.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>

#include "file.h"
#include "proc_path.h"
#include "system.h"
#include "words.h"

// <asm-generic/siginfo.h>, which does not go together with libc's <signal.h>: si_code and si_perf_data.
enum { SENT_BY_PERF = 6, PERF_DATA_OFFSET = 24 };

// Its address marks the events of this process's recorder.
static const char mark;

static bool kernel_is_at_least(uint64_t major, uint64_t minor) {
    struct utsname name;
    if (gp_system(uname, &name) < 0)
        return false;
    const char *text = name.release;
    const uint64_t first = gp_number_take(&text), second = *text == '.' ? gp_number_at(text + 1) : 0;
    return first > major || (first == major && second >= minor);
}

static bool has_tracer(void) {
    char text[1024];
    gp_read_text("/proc/self/status", text, sizeof text);
    return gp_number_behind(text, "TracerPid:") != 0;
}

bool gp_perf_event_may_trap(void) {
    return kernel_is_at_least(5, 18) && !has_tracer();
}

bool gp_perf_event_sent(const siginfo_t *info) {
    uintptr_t data;
    memcpy(&data, (const char *)info + PERF_DATA_OFFSET, sizeof data);
    return info->si_code == SENT_BY_PERF && data == (uintptr_t)&mark;
}

static long signal_by_file(int event, uint32_t thread, int signal) {
    struct f_owner_ex owner = {F_OWNER_TID, (pid_t)thread};
    long result = gp_system(fcntl, event, F_SETOWN_EX, &owner);
    if (result >= 0)
        result = gp_system(fcntl, event, F_SETSIG, signal);
    if (result >= 0)
        result = gp_system(fcntl, event, F_SETFL, O_ASYNC | O_NONBLOCK);
    return result;
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
    if (signal == SIGTRAP) {
        attributes.sigtrap = 1;
        attributes.remove_on_exec = 1;  // goes with the above
        attributes.sig_data = (uintptr_t)&mark;
    }
    long event = gp_system(perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (event < 0)
        return (int)event;
    // The low numbers are the program's: a descriptor for each thread could take them all.
    long own = gp_system(fcntl, event, F_DUPFD_CLOEXEC, GP_HIGH_DESCRIPTOR);
    gp_system(close, event);
    if (own < 0)
        return -EMFILE;
    event = own;
    long result = signal == SIGTRAP ? 0 : signal_by_file((int)event, thread, signal);
    if (result < 0) {
        gp_system(close, event);
        return (int)result;
    }
    return (int)event;
}

bool gp_perf_event_begin(int event) {
    return gp_system(ioctl, event, PERF_EVENT_IOC_ENABLE, 0) >= 0;
}

bool gp_perf_event_set_period(int event, uint64_t period_ns) {
    return gp_system(ioctl, event, PERF_EVENT_IOC_PERIOD, &period_ns) >= 0;
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
