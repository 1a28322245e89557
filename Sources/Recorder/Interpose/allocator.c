// Finds the allocator that the program would have without the recorder: at the first allocation, by the first call.
#include "allocator.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_hooks.h"
#include "next.h"
#include "preloaded_copy.h"

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
extern void free_sized(void *, size_t);
extern void free_aligned_sized(void *, size_t, size_t);

// tcmalloc defines __libc_malloc as well: where the function lies tells them apart.
static bool is_libc(const void *function) {
    Dl_info info;
    return dladdr(function, &info) && info.dli_fname && strstr(info.dli_fname, "libc.so");
}

// Whatever dlsym allocates itself is served by libc.
gp_allocator gp_real = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_free};

void (*gp_other_free_sized)(void *, size_t);
void (*gp_other_free_aligned_sized)(void *, size_t, size_t);

// Whether the function, which may be NULL, lies neither in the C library nor beside `malloc`.
static bool is_apart(const void *function, const void *malloc) {
    Dl_info own, allocator;
    return function && !is_libc(function) && dladdr(function, &own) &&
           !(dladdr(malloc, &allocator) && own.dli_fbase == allocator.dli_fbase);
}

static void find_sized(const void *malloc) {
    void (*const sized)(void *, size_t) = GP_NEXT(free_sized);
    void (*const aligned)(void *, size_t, size_t) = GP_NEXT(free_aligned_sized);
    gp_other_free_sized = is_apart((const void *)sized, malloc) ? sized : NULL;
    gp_other_free_aligned_sized = is_apart((const void *)aligned, malloc) ? aligned : NULL;
}

void gp_allocator_find(void) {
    static bool is_found;
    if (is_found)
        return;
    is_found = true;
    __typeof__(&gp_allocator_behind) behind = GP_OF_PRELOADED_COPY(gp_allocator_behind);
    void *(*next)(size_t) = GP_NEXT(malloc);
    if (!behind)
        find_sized((const void *)next);
    if (behind) {
        gp_real = behind(&gp_allocator_is_foreign);
    } else if (next && !is_libc((const void *)next)) {
        gp_allocator_is_foreign = true;
        gp_real = (gp_allocator){next, GP_NEXT(calloc), GP_NEXT(realloc), GP_NEXT(memalign), GP_NEXT(free)};
    }
}

GP_EXPORT gp_allocator gp_allocator_behind(bool *is_foreign) {
    gp_allocator_find();
    *is_foreign = gp_allocator_is_foreign;
    return gp_real;
}
