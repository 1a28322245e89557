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

// tcmalloc defines __libc_malloc as well: where the function lies tells them apart.
static bool is_libc(const void *function) {
    Dl_info info;
    return dladdr(function, &info) && info.dli_fname && strstr(info.dli_fname, "libc.so");
}

// Whatever dlsym allocates itself is served by libc.
gp_allocator gp_real = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_free};

void gp_allocator_find(void) {
    static bool is_found;
    if (is_found)
        return;
    is_found = true;
    __typeof__(&gp_allocator_behind) behind = GP_OF_PRELOADED_COPY(gp_allocator_behind);
    void *(*next)(size_t) = GP_NEXT(malloc);
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
