#include "sampled_thread.h"

#include <stdatomic.h>
#include <sys/resource.h>

#include "lock.h"
#include "system.h"
#include "task_list.h"
#include "arena.h"
#include "perf_event.h"

__thread gp_sampled_thread *gp_sampled_thread_here;
static _Atomic(gp_sampled_thread *) first;

gp_sampled_thread *gp_sampled_thread_first(void) {
    return atomic_load(&first);
}

gp_sampled_thread *gp_sampled_thread_find(uint32_t id) {
    for (gp_sampled_thread *thread = gp_sampled_thread_first(); thread; thread = thread->next)
        if (atomic_load_explicit(&thread->owner, memory_order_acquire) == id)
            return thread;
    return NULL;
}

static uint64_t own_system_time(void) {
    struct rusage usage;
    if (gp_system(getrusage, RUSAGE_THREAD, &usage) < 0)
        return 0;
    return (uint64_t)usage.ru_stime.tv_sec * 1000000000 + (uint64_t)usage.ru_stime.tv_usec * 1000;
}

static uint64_t system_time(uint32_t id) {
    gp_task_stat stat = {0};
    if (id == (uint32_t)gp_system(gettid, 0))
        return own_system_time();
    return gp_task_stat_read(id, &stat) ? stat.system_ns : 0;
}

static void prepare(gp_sampled_thread *thread, uint32_t id) {
    thread->state.id = id;
    gp_stacks_begin(gp_thread_stacks(&thread->state));
    thread->state.stack_low = thread->state.stack_high = 0;
    thread->has_bounds = thread->inside = false;
    thread->first_ns = 0;
    thread->event = thread->timer = -1;
    thread->lost = thread->unscheduled_ns = 0;
    thread->outermost.count = 0;
    thread->awaiting.callers = thread->awaiting.spans = 0;
    thread->work = (gp_work_label){.kind = GP_WORK_UNKNOWN};
    thread->work_chunk = 0;
    thread->cpu_before = gp_cpu_time(id);
    thread->system_before = system_time(id);
    // The chunk exists before the first signal comes.
    gp_write_cell(&thread->state, &(gp_thread_mark){.kind = GP_THREAD, .thread = id});
}

// Inside the lock: a thread that begins by itself may also be found in the list of those that run.
static gp_sampled_thread *make(uint32_t id) {
    gp_sampled_thread *known = gp_sampled_thread_find(id);
    if (known && !known->state.writer.is_left)
        return NULL;
    if (known) {
        prepare(known, id);
        return known;
    }
    for (gp_sampled_thread *thread = gp_sampled_thread_first(); thread; thread = thread->next) {
        if (atomic_load(&thread->owner) != 0)
            continue;
        prepare(thread, id);
        atomic_store(&thread->owner, id);
        return thread;
    }
    gp_sampled_thread *thread = gp_arena_allocate(sizeof *thread);
    if (!thread)
        return NULL;
    prepare(thread, id);
    atomic_store(&thread->owner, id);
    thread->next = gp_sampled_thread_first();
    while (!atomic_compare_exchange_weak(&first, &thread->next, thread)) {
    }
    return thread;
}

gp_sampled_thread *gp_sampled_thread_make(uint32_t id) {
    static gp_lock lock;
    gp_lock_enter(&lock);
    gp_sampled_thread *thread = make(id);
    gp_lock_leave(&lock);
    return thread;
}

void gp_sampled_threads_begin_again(void) {
    for (gp_sampled_thread *thread = gp_sampled_thread_first(); thread; thread = thread->next) {
        const uint32_t owner = atomic_load(&thread->owner);
        gp_write_begin_again(&thread->state.writer);
        if (owner && gp_task_has_ended(owner))
            atomic_store(&thread->owner, 0);
    }
}

void gp_sampled_thread_write_time(gp_sampled_thread *thread) {
    uint64_t cpu = gp_cpu_time(thread->state.id);
    if (cpu == 0)
        return;
    uint64_t system = system_time(thread->state.id);
    gp_thread_time record = {
        .header.kind = GP_THREAD_TIME,
        .thread = thread->state.id,
        .cpu_ns = cpu - thread->cpu_before,
        .system_ns = system > thread->system_before ? system - thread->system_before : 0,
        .lost = thread->lost,
    };
    gp_write_record(&thread->state, &record, sizeof record, NULL, 0);
}
