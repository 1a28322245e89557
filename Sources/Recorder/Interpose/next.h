// The functions that an interposed one stands before.
#pragma once

#include <dlfcn.h>
#include <errno.h>

// Before an interposed function.
#define GP_EXPORT __attribute__((visibility("default")))

// The next definition of `name` after this library's. Takes the loader's lock: not in a signal handler.
#define GP_NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// What the kernel answered, as the C library has it: −1, and the reason in errno.
static inline long gp_result_of(long answer) {
    if (answer >= 0 || answer <= -4096)
        return answer;
    errno = (int)-answer;
    return -1;
}

// In a fully static program nothing stands behind the recorder: libc.a has these functions under a second name, which a
// shared libc does not show.
#define GP_NEXT_OR(name, second_name)                                                                                  \
    ({                                                                                                                 \
        extern __typeof__(name) second_name __attribute__((weak));                                                     \
        __typeof__(&name) next = GP_NEXT(name);                                                                        \
        next ? next : second_name;                                                                                     \
    })
