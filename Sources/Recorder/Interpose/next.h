// The functions that an interposed one stands before.
#pragma once

#include <dlfcn.h>

// The next definition of `name` after this library's. Takes the loader's lock: not in a signal handler.
#define GP_NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// In a fully static program nothing stands behind the recorder: libc.a has these functions under a second name, which a
// shared libc does not show.
#define GP_NEXT_OR(name, second_name)                                                                                  \
    ({                                                                                                                 \
        extern __typeof__(name) second_name __attribute__((weak));                                                     \
        __typeof__(&name) next = GP_NEXT(name);                                                                        \
        next ? next : second_name;                                                                                     \
    })
