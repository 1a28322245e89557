// New threads are sampled and have an alternate stack from their first instruction on, believe to block what their creator does,
// and hide where it does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>

#include "alternate_stack.h"
#include "virtual_mask.h"
#include "next.h"
#include "program_mappings.h"
#include "recording.h"
#include "safe_read.h"
#include "instruments.h"
#include "sampler.h"
#include "stop_mask.h"
#include "signal_chain.h"
#include "thread.h"
#include "trace_writer.h"

typedef struct {
    void *(*routine)(void *);
    void *argument;
    uint64_t virtual_mask;
    bool hides;
    atomic_bool taken;
} beginning;

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// What threads that are about to begin are given. In the data of this library, where a heap snapshot looks for
// references: the argument may be the only one to an object.
static beginning beginnings[4096];
static _Atomic(create_function *) next_create;

static void tell_of_others(void) {
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    gp_thread *thread = gp_recording_runs() && gp_sampler_is_on() ? gp_thread_current() : NULL;
    if (!thread || thread->busy || atomic_flag_test_and_set(&reported))
        return;
    thread->busy = true;
    gp_write_note(thread, "More than 4,096 threads were about to begin at one moment: some are not sampled.");
    gp_thread_leave(thread);
}

static beginning *take(void) {
    for (unsigned i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!atomic_load_explicit(&beginnings[i].taken, memory_order_relaxed) &&
            !atomic_exchange(&beginnings[i].taken, true))
            return &beginnings[i];
    tell_of_others();
    return NULL;
}

#ifndef GP_PRELOADED
// Has a fully static program take __pthread_create along.
static void __attribute__((used)) take_along(void) {
    thrd_create(NULL, NULL, NULL);
}
#endif

static void *begin(void *context) {
    beginning *given = context;
    void *(*routine)(void *) = given->routine;
    void *argument = given->argument;
    gp_virtual_mask_begin(given->virtual_mask);
    gp_thread_hides = given->hides;
    given->argument = NULL;
    atomic_store(&given->taken, false);
    // A child made by fork is not sampled, and may find the sampler as another thread left it.
    if (gp_recording_runs() && !gp_thread_hides) {
        gp_thread_current();  // its state comes with the alternate stack
        gp_instruments_thread_begins();
    }
    return routine(argument);
}

// What a thread with these attributes inherits of the creator's.
static uint64_t inherited_mask(const pthread_attr_t *attributes) {
    sigset_t own;
    if (!gp_virtual_mask || !attributes)
        return gp_virtual_mask;
    __typeof__(&pthread_attr_getsigmask_np) get = GP_NEXT(pthread_attr_getsigmask_np);
    return get && get(attributes, &own) == 0 ? 0 : gp_virtual_mask;
}

static int make(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
    create_function *create = atomic_load(&next_create);
    if (!create)
        atomic_store(&next_create, create = GP_NEXT_OR(pthread_create, __pthread_create));
    bool is_seen = gp_alternate_stack_lends() || gp_sampler_is_on() || gp_virtual_mask || gp_signal_chain_faults() ||
                   gp_thread_hides;
    beginning *given = is_seen ? take() : NULL;
    if (!given)
        return create(thread, attributes, routine, argument);
    given->routine = routine;
    given->argument = argument;
    given->hides = gp_thread_hides;
    given->virtual_mask = inherited_mask(attributes);
    // The new thread believes nothing before it has begun.
    uint64_t faults = gp_virtual_mask & gp_signal_chain_faults(), real = faults ? gp_show_mask(faults) : 0;
    int error = create(thread, attributes, begin, given);
    if (faults)
        gp_hide_mask(real);
    if (error) {
        given->argument = NULL;
        atomic_store(&given->taken, false);
    }
    return error;
}

GP_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                             void *argument) {
    const int error = make(thread, attributes, routine, argument);
    uintptr_t handle;
    // The thread may have freed it by now.
    if (!error && !gp_thread_hides && gp_safe_read((uintptr_t)thread, &handle, sizeof handle))
        gp_program_makes_thread(handle, GP_CALLER_REGISTERS());
    return error;
}
