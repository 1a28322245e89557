// Who asks to be told of each object that is freed.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct gp_thread;

typedef void gp_object_death(struct gp_thread *thread, uintptr_t object, uint32_t type, uint32_t stack);

// Set before the program's own code runs; NULL: nobody asks.
extern __attribute__((visibility("hidden"))) gp_object_death *gp_object_death_observer;

// An object is freed. `type`: of a GP_TYPE record, 0: none. Costs a load while nobody asks.
static inline void gp_object_died(struct gp_thread *thread, uintptr_t object, uint32_t type, uint32_t stack) {
    if (__builtin_expect(gp_object_death_observer && type, 0))
        gp_object_death_observer(thread, object, type, stack);
}
