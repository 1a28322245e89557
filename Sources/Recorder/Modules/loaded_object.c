#include "image_headers.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "arch.h"
#include "safe_read.h"

// More than any list has. Another thread may change the list during the walk.
enum { OBJECTS_MOST = 1 << 16, HEADERS_MOST = 40 };

// struct dl_find_object of <dlfcn.h>, which headers before glibc 2.35 lack.
typedef struct {
    unsigned long long flags;
    void *start, *end;
    struct link_map *map;
    void *eh_frame;
    unsigned long long reserved[7];
} libc_object;

typedef int find_function(void *, libc_object *);

#ifdef GP_PRELOADED
// A reference to the function itself would keep the recorder from being loaded by an older glibc.
static find_function *libc_find;

static void __attribute__((constructor(101))) find_libc_function(void) {
    libc_find = (find_function *)dlsym(RTLD_DEFAULT, "_dl_find_object");
}
#else
extern find_function find_in_libc __asm__("_dl_find_object");
static find_function *const libc_find = find_in_libc;
#endif

static bool describe(const struct link_map *map, const Elf64_Phdr *headers, unsigned count, gp_loaded_object *object) {
    *object = (gp_loaded_object){.start = UINTPTR_MAX, .bias = map->l_addr, .path = map->l_name};
    for (unsigned i = 0; i < count; i++) {
        const uintptr_t start = map->l_addr + headers[i].p_vaddr, size = headers[i].p_memsz;
        if (headers[i].p_type == PT_GNU_EH_FRAME && object->eh_frame == 0)
            object->eh_frame = start;
        if (headers[i].p_type != PT_LOAD || size == 0 || size > UINTPTR_MAX - GP_PAGE - start)
            continue;
        const uintptr_t first = gp_page_start(start), past = gp_page_end(start + size);
        object->start = first < object->start ? first : object->start;
        object->end = past > object->end ? past : object->end;
    }
    return object->start < object->end;
}

// The kernel says where the headers of the executable are; those of every other object stand behind its ELF header.
static bool read_object(const struct link_map *map, bool is_executable, gp_loaded_object *object) {
    _Alignas(Elf64_Phdr) uint8_t file[sizeof(Elf64_Ehdr) + HEADERS_MOST * sizeof(Elf64_Phdr)];
    unsigned count = 0;
    if (is_executable)
        return describe(map, (const Elf64_Phdr *)getauxval(AT_PHDR), (unsigned)getauxval(AT_PHNUM), object);
    if (!gp_safe_read(map->l_addr, file, sizeof file))
        return false;
    const Elf64_Phdr *headers = gp_program_headers(file, sizeof file, &count);
    return headers && describe(map, headers, count, object);
}

bool gp_loaded_object_in_list(uintptr_t address, gp_loaded_object *object) {
    struct link_map map, *at = _r_debug.r_map;
    for (unsigned i = 0; at && i < OBJECTS_MOST && gp_safe_read((uintptr_t)at, &map, sizeof map); i++) {
        if (read_object(&map, i == 0, object) && address >= object->start && address < object->end)
            return true;
        at = map.l_next;
    }
    return false;
}

bool gp_loaded_object_at(uintptr_t address, gp_loaded_object *object) {
    libc_object found;
    if (!libc_find)
        return gp_loaded_object_in_list(address, object);
    if (libc_find((void *)address, &found) != 0)
        return false;
    *object = (gp_loaded_object){
        .start = gp_page_start((uintptr_t)found.start),
        .end = gp_page_end((uintptr_t)found.end),
        .bias = found.map->l_addr,
        .path = found.map->l_name,
        .eh_frame = (uintptr_t)found.eh_frame,
    };
    return true;
}
