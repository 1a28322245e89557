#include "runtime_symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "system.h"

typedef struct {
    const uint8_t *bytes;
    size_t size;
} file;

static const void *part(file file, uint64_t offset, uint64_t size, size_t alignment) {
    bool inside = offset % alignment == 0 && offset <= file.size && size <= file.size - offset;
    return inside ? file.bytes + offset : NULL;
}

static file map_program(void) {
    file program = {0};
    long descriptor = gp_system(openat, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return program;
    long size = gp_system(lseek, descriptor, 0, 2 /* SEEK_END */);
    long address = size > 0 ? gp_system(mmap, 0, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : -1;
    gp_system(close, descriptor);
    if (address > 0)
        program = (file){(const uint8_t *)address, (size_t)size};
    return program;
}

// What is to be added to an address of the file: the entry point is known by both.
static uintptr_t bias_of(const Elf64_Ehdr *header) {
    return (uintptr_t)getauxval(AT_ENTRY) - header->e_entry;
}

static void take(const Elf64_Sym *symbols, uint64_t count, const char *texts, uint64_t text_size, uintptr_t bias,
                 const char *const *names, uintptr_t *addresses, size_t wanted) {
    for (uint64_t i = 0; i < count; i++) {
        const Elf64_Sym *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_name >= text_size)
            continue;
        const char *name = texts + symbol->st_name;
        size_t room = text_size - symbol->st_name;
        for (size_t k = 0; k < wanted; k++)
            if (!addresses[k] && strnlen(name, room) < room && strcmp(name, names[k]) == 0)
                addresses[k] = bias + symbol->st_value;
    }
}

static void search(file program, const char *const *names, uintptr_t *addresses, size_t count) {
    const Elf64_Ehdr *header = part(program, 0, sizeof *header, 1);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof(Elf64_Shdr))
        return;
    const Elf64_Shdr *sections =
        part(program, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections, _Alignof(Elf64_Shdr));
    if (!sections)
        return;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *table = &sections[i];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum)
            continue;
        const Elf64_Shdr *strings = &sections[table->sh_link];
        const Elf64_Sym *symbols = part(program, table->sh_offset, table->sh_size, _Alignof(Elf64_Sym));
        const char *texts = part(program, strings->sh_offset, strings->sh_size, 1);
        if (symbols && texts)
            take(symbols, table->sh_size / sizeof *symbols, texts, strings->sh_size, bias_of(header), names, addresses,
                 count);
    }
}

void gp_runtime_symbols(const char *const *names, uintptr_t *addresses, size_t count) {
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        addresses[i] = (uintptr_t)dlsym(RTLD_DEFAULT, names[i]);
        all = all && addresses[i];
    }
    if (all || addresses[0])
        return;
    file program = map_program();
    if (!program.bytes)
        return;
    search(program, names, addresses, count);
    gp_system(munmap, program.bytes, program.size);
}
