#include "exported_symbol.h"

#include <elf.h>
#include <string.h>

#include "image_headers.h"

typedef struct {
    const Elf64_Sym *symbols;
    const char *texts;
    const uint32_t *hashes;  // DT_GNU_HASH
} tables;

static tables tables_of(const gp_image_info *image) {
    tables found = {0};
    unsigned count = 0;
    const Elf64_Phdr *headers = gp_image_program_headers(image->start, &count);
    const Elf64_Dyn *entry = NULL;
    for (unsigned i = 0; headers && i < count; i++)
        if (headers[i].p_type == PT_DYNAMIC)
            entry = (const Elf64_Dyn *)(image->bias + headers[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        // The loader has replaced distances by addresses, unless the section is read-only.
        uintptr_t address = entry->d_un.d_ptr + (entry->d_un.d_ptr < image->start ? image->bias : 0);
        if (entry->d_tag == DT_SYMTAB)
            found.symbols = (const Elf64_Sym *)address;
        else if (entry->d_tag == DT_STRTAB)
            found.texts = (const char *)address;
        else if (entry->d_tag == DT_GNU_HASH)
            found.hashes = (const uint32_t *)address;
    }
    return found;
}

static uint32_t hash_of(const char *name) {
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

uintptr_t gp_exported_symbol(const gp_image_info *image, const char *name) {
    tables in = tables_of(image);
    if (!in.symbols || !in.texts || !in.hashes || in.hashes[0] == 0)
        return 0;
    uint32_t buckets = in.hashes[0], first = in.hashes[1], filter_words = in.hashes[2];
    const uint32_t *bucket = in.hashes + 4 + 2 * filter_words, *chain = bucket + buckets;
    uint32_t hash = hash_of(name), number = bucket[hash % buckets];
    for (; number >= first && number; number++) {
        uint32_t other = chain[number - first];
        const Elf64_Sym *symbol = &in.symbols[number];
        if ((other | 1) == (hash | 1) && symbol->st_value && !strcmp(in.texts + symbol->st_name, name))
            return image->bias + symbol->st_value;
        if (other & 1)
            break;
    }
    return 0;
}
