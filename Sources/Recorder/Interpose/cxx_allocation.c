// C++'s operators new and delete. Other allocators than glibc's bring their own, which do not call malloc: behind those of the
// recorder, every block of the program comes from its malloc. With glibc's they only go on to the next definition.
#ifdef GP_PRELOADED
#include <stdlib.h>

#include "alloc_hooks.h"
#include "allocator.h"
#include "next.h"
#include "slow_path.h"

// The operator itself knows what to do when there is no memory.
#define NEW(symbol, parameters, arguments, block)                                                                      \
    GP_EXPORT void *symbol parameters;                                                                                 \
    GP_EXPORT void *symbol parameters {                                                                                \
        static void *(*next)parameters;                                                                                \
        if (GP_UNLIKELY(!next)) {                                                                                      \
            gp_allocator_find();                                                                                       \
            next = GP_NEXT(symbol);                                                                                    \
        }                                                                                                              \
        if (GP_LIKELY(next && !gp_allocator_is_foreign))                                                               \
            return next arguments;                                                                                     \
        void *const made = block;                                                                                      \
        return made || !next ? made : next arguments;                                                                  \
    }

#define DELETE(symbol, parameters, arguments)                                                                          \
    GP_EXPORT void symbol parameters;                                                                                  \
    GP_EXPORT void symbol parameters {                                                                                 \
        static void(*next) parameters;                                                                                 \
        if (GP_UNLIKELY(!next)) {                                                                                      \
            gp_allocator_find();                                                                                       \
            next = GP_NEXT(symbol);                                                                                    \
        }                                                                                                              \
        if (GP_LIKELY(next && !gp_allocator_is_foreign))                                                               \
            next arguments;                                                                                            \
        else                                                                                                           \
            free(block);                                                                                               \
    }

#define BOTH_NEW(suffix, parameters, arguments, block)                                                                 \
    NEW(_Znwm##suffix, parameters, arguments, block)                                                                   \
    NEW(_Znam##suffix, parameters, arguments, block)

#define BOTH_DELETE(suffix, parameters, arguments)                                                                     \
    DELETE(_ZdlPv##suffix, parameters, arguments)                                                                      \
    DELETE(_ZdaPv##suffix, parameters, arguments)

BOTH_NEW(, (size_t size), (size), malloc(size))
BOTH_NEW(RKSt9nothrow_t, (size_t size, const void *tag), (size, tag), malloc(size))
BOTH_NEW(St11align_val_t, (size_t size, size_t alignment), (size, alignment), aligned_alloc(alignment, size))
BOTH_NEW(St11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag), (size, alignment, tag),
         aligned_alloc(alignment, size))
BOTH_DELETE(, (void *block), (block))
BOTH_DELETE(m, (void *block, size_t size), (block, size))
BOTH_DELETE(RKSt9nothrow_t, (void *block, const void *tag), (block, tag))
BOTH_DELETE(St11align_val_t, (void *block, size_t alignment), (block, alignment))
BOTH_DELETE(mSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))
BOTH_DELETE(St11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *tag), (block, alignment, tag))
#endif
