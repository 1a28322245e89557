#include "thread_local.h"

#include <link.h>
#include <string.h>

#include "images.h"

// glibc's dtv_t: the header has the count of entries before it and a generation at 0, modules begin at 1.
typedef union {
    size_t count;
    struct {
        uintptr_t block, to_free;
    };
} vector_entry;

enum { NO_BLOCK_YET = -1 };

uintptr_t gp_thread_local_here(const gp_thread_local *variable) {
    uintptr_t self = (uintptr_t)__builtin_thread_pointer();
    if (variable->module == 0)
        return self + (uintptr_t)variable->offset;
    const vector_entry *vector = ((vector_entry *const *)self)[1];
    if (variable->module > vector[-1].count)
        return 0;
    uintptr_t block = vector[variable->module].block;
    return block == 0 || block == (uintptr_t)NO_BLOCK_YET ? 0 : block + (uintptr_t)variable->offset;
}

static bool takes(const uint8_t **code, const void *bytes, size_t count) {
    if (memcmp(*code, bytes, count) != 0)
        return false;
    *code += count;
    return true;
}

static int32_t take_number(const uint8_t **code) {
    int32_t number;
    memcpy(&number, *code, sizeof number);
    *code += sizeof number;
    return number;
}

bool gp_thread_local_of_getter(uintptr_t function, gp_thread_local *variable) {
    static const uint8_t enter[] = {0x55, 0x48, 0x89, 0xe5};  // push %rbp; mov %rsp,%rbp
    static const uint8_t index[] = {0x48, 0x8d, 0x3d};  // lea …(%rip),%rdi
    static const uint8_t call = 0xe8;  // __tls_get_addr
    static const uint8_t own[] = {0x66, 0x66, 0x66, 0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0};  // mov %fs:0,%rax
    static const uint8_t load[] = {0x48, 0x8b, 0x80};  // mov …(%rax),%rax
    static const uint8_t leave[] = {0x5d, 0xc3};
    enum { CODE_MOST = sizeof enter + sizeof own + sizeof load + sizeof(int32_t) + sizeof leave };
    const uint8_t *code = (const uint8_t *)function;
    const uintptr_t *tls_index = NULL;  // module and offset, filled in by the loader
    if (!gp_address_is_readable_code(function, CODE_MOST))
        return false;
    takes(&code, enter, sizeof enter);
    if (takes(&code, index, sizeof index)) {
        intptr_t distance = take_number(&code);
        tls_index = (const uintptr_t *)((uintptr_t)code + (uintptr_t)distance);
        if (!takes(&code, &call, 1) || (uintptr_t)tls_index % sizeof *tls_index != 0 ||
            !gp_address_is_readable_image((uintptr_t)tls_index, 2 * sizeof *tls_index))
            return false;
        take_number(&code);
    } else if (!takes(&code, own, sizeof own)) {
        return false;
    }
    if (!takes(&code, load, sizeof load))
        return false;
    intptr_t offset = take_number(&code);
    if (!takes(&code, leave, sizeof leave))
        return false;
    *variable =
        tls_index ? (gp_thread_local){tls_index[0], (intptr_t)tls_index[1] + offset} : (gp_thread_local){0, offset};
    return true;
}

typedef struct {
    uintptr_t address, module;
} search;

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    search *wanted = context;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && wanted->address - (info->dlpi_addr + header->p_vaddr) < header->p_memsz) {
            wanted->module = info->dlpi_tls_modid;
            return 1;
        }
    }
    return 0;
}

bool gp_thread_local_first(uintptr_t address, gp_thread_local *variable) {
    search wanted = {address, 0};
    dl_iterate_phdr(visit, &wanted);
    *variable = (gp_thread_local){wanted.module, 0};
    return wanted.module != 0;
}
