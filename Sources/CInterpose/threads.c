// New threads are sampled from their first instruction on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>

#include "next.h"
#include "sampler.h"

typedef struct {
    void *(*routine)(void *);
    void *argument;
    atomic_bool taken;
} beginning;

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// What threads that are about to begin are given. In the data of this library, where a heap snapshot looks for
// references: the argument may be the only one to an object.
static beginning beginnings[256];
static _Atomic(create_function *) next_create;

static beginning *take(void) {
    for (unsigned i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!atomic_exchange(&beginnings[i].taken, true))
            return &beginnings[i];
    return NULL;
}

// Has a fully static program take __pthread_create along.
static void __attribute__((used)) take_along(void) {
    thrd_create(NULL, NULL, NULL);
}

static void *begin(void *context) {
    beginning *given = context;
    void *(*routine)(void *) = given->routine;
    void *argument = given->argument;
    given->argument = NULL;
    atomic_store(&given->taken, false);
    gp_sampler_thread_begins();
    return routine(argument);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*routine)(void *), void *argument) {
    create_function *create = atomic_load(&next_create);
    if (!create)
        atomic_store(&next_create, create = GP_NEXT_OR(pthread_create, __pthread_create));
    beginning *given = gp_sampler_is_on() ? take() : NULL;
    if (!given)
        return create(thread, attributes, routine, argument);
    given->routine = routine;
    given->argument = argument;
    int error = create(thread, attributes, begin, given);
    if (error) {
        given->argument = NULL;
        atomic_store(&given->taken, false);
    }
    return error;
}
