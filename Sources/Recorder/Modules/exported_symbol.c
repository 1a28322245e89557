#include "runtime_symbols.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "image_headers.h"

// A table of the image, to the end of its segment at most: where it ends is written nowhere.
typedef struct {
    const void *start;
    size_t size;
} table;

typedef struct {
    table symbols, texts, hashes;  // the last is DT_GNU_HASH
} tables;

static table table_at(const gp_image_info *image, uintptr_t address, size_t alignment) {
    return (table){(const void *)address, address % alignment == 0 ? gp_image_readable(image, address) : 0};
}

static tables tables_of(const gp_image_info *image) {
    tables found = {0};
    unsigned count = 0;
    const Elf64_Phdr *headers =
        gp_program_headers((const void *)image->start, gp_image_readable(image, image->start), &count);
    table dynamic = {0};
    for (unsigned i = 0; headers && i < count; i++)
        if (headers[i].p_type == PT_DYNAMIC)
            dynamic = table_at(image, image->bias + headers[i].p_vaddr, _Alignof(Elf64_Dyn));
    const Elf64_Dyn *entry = dynamic.start;
    for (size_t left = dynamic.size / sizeof *entry; left > 0 && entry->d_tag != DT_NULL; left--, entry++) {
        // The loader has replaced distances by addresses, unless the section is read-only.
        uintptr_t address = entry->d_un.d_ptr + (entry->d_un.d_ptr < image->start ? image->bias : 0);
        if (entry->d_tag == DT_SYMTAB)
            found.symbols = table_at(image, address, _Alignof(Elf64_Sym));
        else if (entry->d_tag == DT_STRTAB)
            found.texts = table_at(image, address, 1);
        else if (entry->d_tag == DT_GNU_HASH)
            found.hashes = table_at(image, address, _Alignof(uint32_t));
    }
    return found;
}

static uint32_t hash_of(const char *name) {
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

static bool is_text(table texts, uint32_t offset, const char *text) {
    const size_t size = strlen(text) + 1;
    return offset < texts.size && size <= texts.size - offset &&
           memcmp((const char *)texts.start + offset, text, size) == 0;
}

uintptr_t gp_exported_symbol(const gp_image_info *image, const char *name) {
    enum { BUCKETS, FIRST, FILTER_WORDS, UNUSED, HEADER };
    const tables in = tables_of(image);
    const uint32_t *words = in.hashes.start;
    const size_t word_count = in.hashes.size / sizeof *words, symbol_count = in.symbols.size / sizeof(Elf64_Sym);
    if (word_count < HEADER || words[BUCKETS] == 0)
        return 0;
    // Behind the header: a filter of 64-bit words, the buckets, the hash of each symbol from the first on.
    const size_t buckets = HEADER + 2 * (size_t)words[FILTER_WORDS], hashes = buckets + words[BUCKETS];
    const uint32_t hash = hash_of(name), first = words[FIRST];
    if (hashes > word_count)
        return 0;
    uint32_t number = words[buckets + hash % words[BUCKETS]];
    for (; number >= first && number && number < symbol_count && number - first < word_count - hashes; number++) {
        const uint32_t other = words[hashes + (number - first)];
        const Elf64_Sym *symbol = (const Elf64_Sym *)in.symbols.start + number;
        if ((other | 1) == (hash | 1) && symbol->st_value && is_text(in.texts, symbol->st_name, name))
            return image->bias + symbol->st_value;
        if (other & 1)
            break;
    }
    return 0;
}
