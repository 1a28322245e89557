// Finds the allocator that the program would have without the recorder: at the first allocation, by the first call.
#include "allocator.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_hooks.h"
#include "defer.h"
#include "next.h"

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

bool gp_allocator_may_lead_on = true;
static bool is_looking;

static void resolve(void) {
    // Whatever dlsym allocates itself is served by libc.
    is_looking = true;
    gp_real = (gp_allocator){__libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_free};
    gp_defer_prepare();
    void *(*next)(size_t) = GP_NEXT(malloc);
    is_looking = false;
    gp_allocator_may_lead_on = GP_DEFERS;
    if (next && !is_libc((const void *)next)) {
        gp_allocator_is_foreign = true;
        gp_real = (gp_allocator){next, GP_NEXT(calloc), GP_NEXT(realloc), GP_NEXT(memalign), GP_NEXT(free)};
    }
    gp_entries_prepare();
}

static void *first_malloc(size_t size) {
    resolve();
    return gp_real.malloc(size);
}

static void *first_calloc(size_t count, size_t size) {
    resolve();
    return gp_real.calloc(count, size);
}

static void *first_realloc(void *block, size_t size) {
    resolve();
    return gp_real.realloc(block, size);
}

static void *first_memalign(size_t alignment, size_t size) {
    resolve();
    return gp_real.memalign(alignment, size);
}

static void first_free(void *block) {
    resolve();
    gp_real.free(block);
}

gp_allocator gp_real = {first_malloc, first_calloc, first_realloc, first_memalign, first_free};

bool gp_allocator_leads_on(void) {
    if (gp_real.malloc == first_malloc)
        resolve();
    return is_looking || GP_DEFERS;
}
