// Finds the allocator that the program would have without the recorder: at the first allocation, by the first call.
#include "allocator.h"

#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_hooks.h"
#include "cxx_allocation.h"
#include "next.h"
#include "preloaded_copy.h"
#include "program_mappings.h"

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

// Whether the function, which may be NULL, lies in the library of `malloc`.
static bool is_beside(const void *function, const void *malloc) {
    Dl_info own, allocator;
    return function && dladdr(function, &own) && dladdr(malloc, &allocator) && own.dli_fbase == allocator.dli_fbase;
}

// Neither there nor in the C library.
static bool is_apart(const void *function, const void *malloc) {
    return function && !is_libc(function) && !is_beside(function, malloc);
}

static void find_sized(const void *malloc) {
    void (*const sized)(void *, size_t) = GP_NEXT(free_sized);
    void (*const aligned)(void *, size_t, size_t) = GP_NEXT(free_aligned_sized);
    gp_other_free_sized = is_apart((const void *)sized, malloc) ? sized : NULL;
    gp_other_free_aligned_sized = is_apart((const void *)aligned, malloc) ? aligned : NULL;
}

// Another allocator makes blocks of 8 bytes that share a row of the live table, where each 16 bytes have one: it is asked for 16.
static gp_allocator other;

static size_t widened(size_t size) {
    return size > 8 ? size : 16;
}

static void *other_malloc(size_t size) {
    return other.malloc(widened(size));
}

static void *other_calloc(size_t count, size_t size) {
    size_t product;
    const bool is_small = !__builtin_mul_overflow(count, size, &product) && product <= 8;
    return is_small ? other.calloc(1, 16) : other.calloc(count, size);
}

static void *other_realloc(void *block, size_t size) {
    return other.realloc(block, block && !size ? 0 : widened(size));
}

static void *other_memalign(size_t alignment, size_t size) {
    return other.memalign(alignment, widened(size));
}

static const void *other_place;  // a function of its

static bool is_others(const void *function) {
    return gp_allocator_is_foreign && is_beside(function, other_place);
}

// What the image's list of symbols is, as the loader has it.
typedef struct {
    const ElfW(Sym) * symbols;
    const char *names;
    size_t names_size;
    const uint32_t *hash;  // of DT_GNU_HASH
} symbol_list;

static symbol_list symbols_of(const struct dl_phdr_info *image) {
    symbol_list list = {0};
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < image->dlpi_phnum; i++)
        if (image->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(image->dlpi_addr + image->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            list.symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_STRTAB)
            list.names = (const char *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_STRSZ)
            list.names_size = entry->d_un.d_val;
        else if (entry->d_tag == DT_GNU_HASH)
            list.hash = (const uint32_t *)entry->d_un.d_ptr;
    }
    return list;
}

// How many symbols there are in front of those that are hashed: the imports. An image that exports nothing has an empty table, which
// does not say it; its names stand behind its symbols then, with tables of versions between them at most.
static size_t import_count(const symbol_list *list) {
    if (list->hash[1] > 1)
        return list->hash[1];
    const uintptr_t first = (uintptr_t)list->symbols, names = (uintptr_t)list->names;
    return names > first ? (names - first) / sizeof *list->symbols : 0;
}

// Whether the image imports functions of an allocator that nobody else has: their blocks would not be known.
static int imports_own_functions(struct dl_phdr_info *image, size_t size, void *context) {
    static const char *const own[] = {"mallocx", "rallocx", "xallocx", "dallocx", "sdallocx", "mi_", "tc_"};
    (void)size;
    const symbol_list list = symbols_of(image);
    // Addresses that the loader has not made absolute are the kernel's image.
    if (!list.symbols || !list.names || !list.hash || (uintptr_t)list.symbols < image->dlpi_addr ||
        is_others(list.symbols))
        return 0;
    for (size_t i = 1, count = import_count(&list); i < count; i++) {
        const ElfW(Sym) *const symbol = &list.symbols[i];
        if (symbol->st_shndx != SHN_UNDEF || symbol->st_name >= list.names_size)
            continue;
        for (size_t j = 0; j < sizeof own / sizeof *own; j++)
            if (strncmp(list.names + symbol->st_name, own[j], strlen(own[j])) == 0)
                return *(bool *)context = true;
    }
    return 0;
}

// Notes where the allocator's library lies, whose heap can be searched when it is one of those that have been tried.
static void know_other(const void *malloc) {
    static const char *const tried[] = {"jemalloc", "mimalloc", "tcmalloc"};
    Dl_info info;
    if (!dladdr(malloc, &info) || !info.dli_fname)
        return;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (strstr(info.dli_fname, tried[i]) && is_beside((const void *)GP_NEXT(malloc_usable_size), malloc))
            gp_allocator_is_unknown = false;
    dl_iterate_phdr(imports_own_functions, &gp_allocator_is_unknown);
    const ElfW(Ehdr) *const file = info.dli_fbase;
    const ElfW(Phdr) *const parts = (const ElfW(Phdr) *)((const char *)file + file->e_phoff);
    uintptr_t end = 0;
    for (size_t i = 0; i < file->e_phnum; i++)
        if (parts[i].p_type == PT_LOAD)
            end = parts[i].p_vaddr + parts[i].p_memsz;
    gp_allocator_lies((uintptr_t)file, (uintptr_t)file + end);
    malloc_usable_size(NULL);  // has it looked up before a frozen copy asks
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
        other = (gp_allocator){next, GP_NEXT(calloc), GP_NEXT(realloc), GP_NEXT(memalign), GP_NEXT(free)};
        gp_real = (gp_allocator){other_malloc, other_calloc, other_realloc, other_memalign, other.free};
    }
    gp_allocator_is_unknown = gp_allocator_is_foreign;
    other_place = (const void *)next;
    if (gp_allocator_is_foreign)
        know_other(other_place);
#ifdef GP_PRELOADED
    gp_cxx_operators_find(is_others);
#endif
}

GP_EXPORT gp_allocator gp_allocator_behind(bool *is_foreign) {
    gp_allocator_find();
    *is_foreign = gp_allocator_is_foreign;
    return gp_real;
}
