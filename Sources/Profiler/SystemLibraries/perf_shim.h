#pragma once

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Registers of a sample, in the order of their numbers (asm/perf_regs.h): frame pointer, link register where there is one, stack
// pointer, program counter.
#if defined(__x86_64__)
#define GP_PERF_REGISTERS (1ull << 6 | 1ull << 7 | 1ull << 8)
enum { GP_PERF_HAS_LINK = 0 };
#else
#define GP_PERF_REGISTERS (1ull << 29 | 1ull << 30 | 1ull << 31 | 1ull << 32)
enum { GP_PERF_HAS_LINK = 1 };
#endif

// What samples hold, in the order of their fields.
enum {
    GP_PERF_SAMPLE_TYPE =
        PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
};

// An event that samples a thread, and those that it makes, after each period of CPU time on one processor, with a copy of
// `stack_bytes` of the stack. It fires in user mode alone, as the recorder's does. It does not count yet. The descriptor, or a
// negative errno.
static inline int gp_perf_open(int thread, int processor, uint64_t period_ns, uint32_t stack_bytes) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.sample_period = period_ns;
    attributes.sample_type = GP_PERF_SAMPLE_TYPE;
    attributes.sample_regs_user = GP_PERF_REGISTERS;
    attributes.sample_stack_user = stack_bytes;
    attributes.disabled = 1;
    attributes.inherit = 1;
    attributes.inherit_thread = 1;  // not by children of fork
    attributes.remove_on_exec = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.use_clockid = 1;
    attributes.clockid = 1;  // CLOCK_MONOTONIC
    attributes.watermark = 1;
    attributes.wakeup_watermark = 1u << 30;  // whoever reads the ring looks at it again and again
    long event = syscall(SYS_perf_event_open, &attributes, thread, processor, -1, PERF_FLAG_FD_CLOEXEC);
    if (event < 0 && (errno == EINVAL || errno == E2BIG)) {
        // Before Linux 5.13.
        attributes.inherit_thread = attributes.remove_on_exec = 0;
        event = syscall(SYS_perf_event_open, &attributes, thread, processor, -1, PERF_FLAG_FD_CLOEXEC);
    }
    return event < 0 ? -errno : (int)event;
}

static inline int gp_perf_redirect(int event, int to) {
    return ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, to) < 0 ? -errno : 0;
}

static inline int gp_perf_enable(int event) {
    return ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

// The number that samples of the event, and of those that it was inherited by, hold. 0: it has none.
static inline uint64_t gp_perf_number(int event) {
    uint64_t number = 0;
    return ioctl(event, PERF_EVENT_IOC_ID, &number) < 0 ? 0 : number;
}

// How far the kernel has written to a ring, and how far it may go on.
static inline uint64_t gp_perf_head(const void *ring) {
    return __atomic_load_n(&((const struct perf_event_mmap_page *)ring)->data_head, __ATOMIC_ACQUIRE);
}
static inline void gp_perf_set_tail(void *ring, uint64_t tail) {
    __atomic_store_n(&((struct perf_event_mmap_page *)ring)->data_tail, tail, __ATOMIC_RELEASE);
}
