#include "sampled_thread.h"

#include <stdatomic.h>

#include "perf_event.h"
#include "sampler.h"
#include "source.h"

enum { TIMER_DELAY_NS = 60000 };  // by which an interrupt of the kernel's timer may come late, in a virtual machine

// When to take a thread's first sample: anywhere in its first period, or threads shorter than that would have none.
static uint64_t first_of(uint32_t id, uint64_t period) {
    const uint64_t mixed = ((uint64_t)id << 32 ^ gp_now_ns()) * 0x9e3779b97f4a7c15ull;
    return 1 + ((mixed >> 32) * period >> 32);
}

void gp_sampled_thread_arm(gp_sampled_thread *thread) {
    const uint32_t id = thread->state.id;
    const int signal = gp_sampler_signal();
    const bool by_perf = gp_source_is_perf();
    const uint64_t first = first_of(id, gp_source_period());
    int event = by_perf ? gp_perf_event_open(id, first, signal) : -1;
    const uint64_t kernel_period = gp_source_period() * gp_source_kernel_periods();
    if (event < 0)
        thread->timer = gp_cpu_timer_make(id, first, gp_source_period(), signal);
    else if (kernel_period > 0)
        thread->timer = gp_cpu_timer_make(id, first_of(id, kernel_period), kernel_period, signal);
    thread->cpu_armed = gp_cpu_time(id);
    thread->first_ns = event >= 0 ? first : 0;
    thread->event = event;
    if (event >= 0)
        gp_perf_event_begin(event);
    else if (by_perf)
        gp_source_tell_refusal(event);
    // Whoever ended sampling meanwhile may have passed this thread by.
    if (!gp_sampler_is_on())
        gp_sampled_thread_disarm(thread);
}

void gp_sampled_thread_disarm(gp_sampled_thread *thread) {
    int event = atomic_exchange(&thread->event, -1), timer = atomic_exchange(&thread->timer, -1);
    if (event >= 0)
        gp_perf_event_close(event);
    if (timer >= 0)
        gp_cpu_timer_remove(timer);
}

// A time so short that it may only have come late counts.
bool gp_sampled_thread_begin_regularly(gp_sampled_thread *thread) {
    const uint64_t first = thread->first_ns, late = first > TIMER_DELAY_NS ? first : TIMER_DELAY_NS;
    if (gp_perf_event_set_period(thread->event, gp_source_period()))
        thread->first_ns = 0;
    return gp_cpu_time(thread->state.id) - thread->cpu_armed < first + late;
}
