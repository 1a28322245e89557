#include "runtime_symbols.h"

#include <link.h>

#include "arch.h"
#include "code.h"
#include "images.h"
#include "thread_control_block.h"

uintptr_t gp_thread_local_here(const gp_thread_local *variable) {
    const uintptr_t block = variable->module ? gp_thread_local_block(variable->module) : gp_thread_pointer();
    return block ? block + (uintptr_t)variable->offset : 0;
}

bool gp_thread_local_of_getter(uintptr_t function, gp_thread_local *variable) {
    uintptr_t index = 0;
    intptr_t offset;
    if (!gp_address_is_readable_code(function, GP_CODE_GETTER_BYTES) ||
        !gp_code_thread_local_getter((const uint8_t *)function, &index, &offset))
        return false;
    const uintptr_t *loaded = (const uintptr_t *)index;  // module and offset, filled in by the loader
    if (index && (index % sizeof *loaded != 0 || !gp_address_is_readable_image(index, 2 * sizeof *loaded)))
        return false;
    *variable = loaded ? (gp_thread_local){loaded[0], (intptr_t)loaded[1] + offset} : (gp_thread_local){0, offset};
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
