// A perf event that counts a thread's CPU time and sends it a signal after each period. It fires in user mode only: a
// signal that came in the kernel would end a blocking call with EINTR.
#ifndef GP_PERF_EVENT_H
#define GP_PERF_EVENT_H

#include <stdint.h>

// The event's descriptor, or a negative errno. `thread`: kernel thread id of this process.
int gp_perf_event_open(uint32_t thread, uint64_t period_ns, int signal);

void gp_perf_event_close(int event);

// Why perf events are refused: a clause that goes on after "because". `error`: the negative errno.
const char *gp_perf_event_refusal(int error);

#endif
