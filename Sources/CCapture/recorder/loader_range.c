#include "loader_range.h"

#include <elf.h>
#include <sys/auxv.h>

uintptr_t gp_loader_start, gp_loader_size;

void gp_loader_find(void) {
    uintptr_t base = getauxval(AT_BASE);
    if (!base)
        return;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(base + header->e_phoff);
    uintptr_t end = 0;
    for (int i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr + segments[i].p_memsz > end)
            end = segments[i].p_vaddr + segments[i].p_memsz;
    gp_loader_start = base;
    gp_loader_size = end;
}
