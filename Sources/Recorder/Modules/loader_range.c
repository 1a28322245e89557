#include "images.h"

#include <elf.h>
#include <sys/auxv.h>

#include "arch.h"
#include "image_headers.h"

uintptr_t gp_loader_start, gp_loader_size;

void gp_loader_find(void) {
    uintptr_t base = getauxval(AT_BASE);
    if (!base)
        return;
    unsigned count = 0;
    const Elf64_Phdr *segments = gp_program_headers((const void *)base, GP_PAGE, &count);
    uintptr_t end = 0;
    for (unsigned i = 0; segments && i < count; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr + segments[i].p_memsz > end)
            end = segments[i].p_vaddr + segments[i].p_memsz;
    gp_loader_start = base;
    gp_loader_size = end;
}
