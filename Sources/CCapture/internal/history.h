// The history of reference counts: every retain and release of the objects of chosen classes, with stacks. The runtime's
// own functions are made to come here first, so that calls inside the Swift library and in a static one are seen too.
// Nothing is changed in a program whose history is not asked for.
#ifndef GP_HISTORY_H
#define GP_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "stack.h"

struct gp_thread;

// Hooks the runtime's functions when `types` ("Board|Other.Card") names any; NULL or empty: does nothing. Before the
// program's own code runs. A runtime that cannot be hooked is said in a GP_NOTE.
void gp_history_prepare(struct gp_thread *thread, const char *types);

extern __attribute__((visibility("hidden"))) bool gp_history_is_on;
void gp_history_write_death(struct gp_thread *thread, uintptr_t object, uint32_t type, uint32_t stack);

// An object is freed. `type`: of a GP_TYPE record, 0: none. Costs a load when no history is asked for.
static inline void gp_history_died(struct gp_thread *thread, uintptr_t object, uint32_t type, uint32_t stack) {
    if (__builtin_expect(gp_history_is_on && type, 0))
        gp_history_write_death(thread, object, type, stack);
}

// The count of an object is about to change, or it was born. `hook`: GP_HOOK_* of hooks.h; `times` is meant for those
// ending in N.
void gp_history_changed(uintptr_t object, uint32_t times, uint32_t hook, gp_registers caller);

#endif
