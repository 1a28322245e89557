// C++'s operators new and delete. Other allocators than glibc's bring their own, which do not call malloc: in place of those the
// recorder's call it, so that every block of the program is known. All others only go on to the next definition.
#ifdef GP_PRELOADED
#include "cxx_allocation.h"

#include <stdlib.h>

#include "allocator.h"
#include "next.h"
#include "slow_path.h"

typedef void any_function(void);

// NULL: the recorder's malloc does it. Found with the allocator, before the program has a second thread.
#define OPERATORS(EACH)                                                                                                \
    EACH(_Znwm)                                                                                                        \
    EACH(_Znam)                                                                                                        \
    EACH(_ZnwmRKSt9nothrow_t)                                                                                          \
    EACH(_ZnamRKSt9nothrow_t)                                                                                          \
    EACH(_ZnwmSt11align_val_t)                                                                                         \
    EACH(_ZnamSt11align_val_t)                                                                                         \
    EACH(_ZnwmSt11align_val_tRKSt9nothrow_t)                                                                           \
    EACH(_ZnamSt11align_val_tRKSt9nothrow_t)                                                                           \
    EACH(_ZdlPv)                                                                                                       \
    EACH(_ZdaPv)                                                                                                       \
    EACH(_ZdlPvm)                                                                                                      \
    EACH(_ZdaPvm)                                                                                                      \
    EACH(_ZdlPvRKSt9nothrow_t)                                                                                         \
    EACH(_ZdaPvRKSt9nothrow_t)                                                                                         \
    EACH(_ZdlPvSt11align_val_t)                                                                                        \
    EACH(_ZdaPvSt11align_val_t)                                                                                        \
    EACH(_ZdlPvmSt11align_val_t)                                                                                       \
    EACH(_ZdaPvmSt11align_val_t)                                                                                       \
    EACH(_ZdlPvSt11align_val_tRKSt9nothrow_t)                                                                          \
    EACH(_ZdaPvSt11align_val_tRKSt9nothrow_t)

#define NUMBER(symbol) AT##symbol,
enum { OPERATORS(NUMBER) COUNT };

static any_function *next[COUNT];
static bool is_found;

void gp_cxx_operators_find(bool (*is_allocators)(const void *function)) {
#define NAME(symbol) #symbol,
    static const char *const names[] = {OPERATORS(NAME)};
    for (int i = 0; i < COUNT; i++) {
        any_function *const found = (any_function *)dlsym(RTLD_NEXT, names[i]);
        next[i] = found && is_allocators((const void *)found) ? NULL : found;
    }
    is_found = true;
}

static inline any_function *next_of(int number) {
    if (GP_UNLIKELY(!is_found))
        gp_allocator_find();
    return next[number];
}

// What there is no memory for ends the program: without the operator's own nobody can throw.
static void *made(void *block, bool may_fail) {
    if (!block && !may_fail)
        abort();
    return block;
}

#define NEW(symbol, parameters, arguments, block, may_fail)                                                            \
    GP_EXPORT void *symbol parameters;                                                                                 \
    GP_EXPORT void *symbol parameters {                                                                                \
        void *(*const own)parameters = (void *(*)parameters)next_of(AT##symbol);                                       \
        return GP_LIKELY(own) ? own arguments : made(block, may_fail);                                                 \
    }

#define DELETE(symbol, parameters, arguments)                                                                          \
    GP_EXPORT void symbol parameters;                                                                                  \
    GP_EXPORT void symbol parameters {                                                                                 \
        void(*const own) parameters = (void(*) parameters)next_of(AT##symbol);                                         \
        if (GP_LIKELY(own))                                                                                            \
            own arguments;                                                                                             \
        else                                                                                                           \
            free(block);                                                                                               \
    }

#define BOTH_NEW(suffix, parameters, arguments, block, may_fail)                                                       \
    NEW(_Znwm##suffix, parameters, arguments, block, may_fail)                                                         \
    NEW(_Znam##suffix, parameters, arguments, block, may_fail)

#define BOTH_DELETE(suffix, parameters, arguments)                                                                     \
    DELETE(_ZdlPv##suffix, parameters, arguments)                                                                      \
    DELETE(_ZdaPv##suffix, parameters, arguments)

BOTH_NEW(, (size_t size), (size), malloc(size), false)
BOTH_NEW(RKSt9nothrow_t, (size_t size, const void *tag), (size, tag), malloc(size), true)
BOTH_NEW(St11align_val_t, (size_t size, size_t alignment), (size, alignment), aligned_alloc(alignment, size), false)
BOTH_NEW(St11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag), (size, alignment, tag),
         aligned_alloc(alignment, size), true)
BOTH_DELETE(, (void *block), (block))
BOTH_DELETE(m, (void *block, size_t size), (block, size))
BOTH_DELETE(RKSt9nothrow_t, (void *block, const void *tag), (block, tag))
BOTH_DELETE(St11align_val_t, (void *block, size_t alignment), (block, alignment))
BOTH_DELETE(mSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))
BOTH_DELETE(St11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *tag), (block, alignment, tag))
#endif
