#include <stdatomic.h>

#include "CRecorderInterface.h"

static void (*_Atomic handler)(void);

// Of the preloaded copy too: a program that links no recorder finds them by dlsym.
__attribute__((visibility("default"))) void gp_on_memory_warning(void (*function)(void)) {
    atomic_store(&handler, function);
}

__attribute__((visibility("default"))) void gp_send_memory_warning(void) {
    void (*function)(void) = atomic_load(&handler);
    gp_mark(GP_MEMORY_WARNING);
    if (function)
        function();
    gp_mark(GP_MEMORY_WARNING_HANDLED);
}
