// Who called the function in which this stands, for the hooks.
#ifndef GP_CALLER_H
#define GP_CALLER_H

#include <stdint.h>

// Three arguments: what the hooked function's caller looked like just after the call.
#define CALLER                                                                                                         \
    (uintptr_t) __builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16,                               \
        *(uintptr_t *)__builtin_frame_address(0)

#endif
