// Says what objects of a process refer to, as the toolchain's reflection library (libswiftRemoteMirror) understands them.
//     mirror LIBRARY REQUESTS <MEMORY
// MEMORY is the process's /proc/PID/mem. A request is "I start file" for a loaded image or "O address" for an object; the
// answer to the latter is a line "R offset ownership target word path" for each reference, "E from to path" for each
// enumeration with several payloads, the path ending in its case, "U from to reason" for each part that the library does
// not understand, and "O address".
#include <dlfcn.h>
#include <fcntl.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Mirror.h"

static void *mirror;
static struct {
#define MEMBER(result, name, parameters) result(*name) parameters;
    FUNCTIONS(MEMBER)
} library;

// MARK: - Memory

// Parts of a file that are not loaded, while its image is added.
static struct {
    uint64_t start, size;
    const char *bytes;
} unloaded[2];

static bool fetch(uint64_t address, void *bytes, uint64_t size) {
    for (int i = 0; i < 2; i++) {
        if (address >= unloaded[i].start && address - unloaded[i].start < unloaded[i].size) {
            const uint64_t offset = address - unloaded[i].start;
            if (size <= unloaded[i].size - offset) {
                memcpy(bytes, unloaded[i].bytes + offset, size);
                return true;
            }
        }
    }
    return size < 1 << 30 && pread(STDIN_FILENO, bytes, size, (off_t)address) == (ssize_t)size;
}

static uint64_t word(uint64_t address) {
    uint64_t value = 0;
    return fetch(address, &value, sizeof value) ? value : 0;
}

static const void *read_bytes(void *context, uint64_t address, uint64_t size, void **free_context) {
    (void)context, (void)free_context;
    void *bytes = malloc(size == 0 ? 1 : size);
    if (bytes == NULL || !fetch(address, bytes, size)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static void free_bytes(void *context, const void *bytes, void *free_context) {
    (void)context, (void)free_context;
    free((void *)bytes);
}

static uint64_t string_length(void *context, uint64_t address) {
    (void)context;
    char byte = 1;
    uint64_t length = 0;
    while (length < 65536 && fetch(address + length, &byte, 1) && byte != 0) {
        length++;
    }
    return byte == 0 ? length : 0;
}

static uint64_t symbol_address(void *context, const char *name, uint64_t length) {
    (void)context, (void)name, (void)length;
    return 0;
}

static void add_image(uint64_t start, const char *path) {
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
        return;
    }
    const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) {
        return;
    }
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    const Elf64_Shdr *names = (const Elf64_Shdr *)(bytes + header->e_shoff) + header->e_shstrndx;
    unloaded[0].start = start + header->e_shoff;
    unloaded[0].size = (uint64_t)header->e_shnum * header->e_shentsize;
    unloaded[0].bytes = bytes + header->e_shoff;
    unloaded[1].start = start + names->sh_offset;
    unloaded[1].size = names->sh_size;
    unloaded[1].bytes = bytes + names->sh_offset;
    library.addImage(mirror, start);
    memset(unloaded, 0, sizeof unloaded);
    munmap((void *)bytes, (size_t)status.st_size);
}

// MARK: - Values

enum { DEPTH = 32, PATH = 1024 };

static const uint64_t address_bits = 0x00fffffffffffff8;
static uint64_t object;

static void walk(uint64_t address, type_ref type, int kind, const char *path, unsigned size, int depth);

static void refer(uint64_t address, const char *ownership, const char *path) {
    const uint64_t target = word(address) & address_bits;
    if (target >= 4096) {
        printf("R %lu %s %lx %lx %s\n", address - object, ownership, target, target, path);
    }
}

static void give_up(uint64_t address, unsigned size, const char *reason) {
    printf("U %lu %lu %s\n", address - object, address - object + size, reason);
}

// What values of a type are called, with its module.
static void name_of(type_ref type, char *name, size_t capacity) {
    char *text = type == 0 ? NULL : library.copyNameForTypeRef(mirror, type, false);
    snprintf(name, capacity, "%s", text == NULL ? "" : text);
    free(text);
}

// Nothing where the library gets the size wrong: a metatype in a tuple.
static type_ref type_of(uint64_t metadata) {
    const type_ref type = library.typeRefForMetadata(mirror, metadata);
    const type_info info = library.infoForTypeRef(mirror, type);
    return info.kind != UNKNOWN && info.size == word(word(metadata - 8) + 64) ? type : 0;
}

static bool starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// The one rule of spelling: insides of the standard library's structures and of existentials, and the case of Optional, have no
// names that a user knows.
static void join(char *result, const char *path, const char *type, int kind, const char *label, unsigned index) {
    char number[16];
    const bool is_range = starts(type, "Swift.Range<") || starts(type, "Swift.ClosedRange<");
    const bool is_standard = starts(type, "Swift.");
    if (kind == STRUCT                ? is_standard && !is_range
        : kind == CLASS_EXISTENTIAL   ? true
        : kind == SINGLE_PAYLOAD_ENUM ? label != NULL && strcmp(label, "some") == 0
                                      : false) {
        label = "";
    } else if (label == NULL || *label == '\0') {
        snprintf(number, sizeof number, "%u", index);
        label = number;
    }
    snprintf(result, PATH, "%s%s%s", path, *path != '\0' && *label != '\0' && *label != '[' ? "." : "", label);
}

static void walk_elements(uint64_t start, uint64_t end, type_ref type, const char *path, int depth) {
    const type_info info = library.infoForTypeRef(mirror, type);
    if (info.stride == 0) {
        return give_up(start, (unsigned)(end - start), "element");
    }
    for (uint64_t at = start; at + info.stride <= end; at += info.stride) {
        walk(at, type, info.kind, path, info.size, depth);
    }
}

static void walk_fields(uint64_t address, type_ref type, int kind, const char *path, int depth) {
    char name[512], inner[PATH];
    name_of(type, name, sizeof name);
    const type_info info = library.infoForTypeRef(mirror, type);
    if (starts(name, "Swift.InlineArray<")) {
        snprintf(inner, PATH, "%s[…]", path);
        return walk_elements(address, address + info.size, library.genericArgumentOfTypeRef(type, 1), inner, depth);
    }
    for (unsigned i = 0; i < info.fields; i++) {
        const child_info child = library.childOfTypeRef(mirror, type, i);
        join(inner, path, name, kind, child.name, i);
        walk(address + child.offset, child.type, child.kind, inner, info.size - child.offset, depth);
    }
}

static void walk_case(uint64_t address, type_ref type, int kind, const char *path, unsigned size, int depth) {
    char name[512], inner[PATH];
    int index = -1;
    name_of(type, name, sizeof name);
    const type_info info = library.infoForTypeRef(mirror, type);
    if (!library.projectEnumValue(mirror, address, type, &index) || index < 0 || (unsigned)index >= info.fields) {
        return give_up(address, size, "case");
    }
    const child_info child = library.childOfTypeRef(mirror, type, (unsigned)index);
    join(inner, path, name, kind, child.name, 0);
    if (kind == MULTI_PAYLOAD_ENUM) {
        printf("E %lu %lu %s\n", address - object, address - object + size, inner);
    }
    if (child.type != 0) {
        walk(address + child.offset, child.type, child.kind, inner, size, depth);
    }
}

static void walk_existential(uint64_t address, type_ref type, const char *path, unsigned size, int depth) {
    type_ref inner = 0;
    uint64_t start = 0;
    if (!library.projectExistential(mirror, address, type, &inner, &start) || type_of(word(address + 24)) == 0) {
        return give_up(address, size, "existential");
    }
    if (start < address || start >= address + 24) {
        return refer(address, "strong", path);
    }
    walk(start, inner, library.infoForTypeRef(mirror, inner).kind, path, 24, depth);
}

static bool is_bridge(type_ref type) {
    char name[512];
    name_of(type, name, sizeof name);
    return strcmp(name, "Builtin.BridgeObject") == 0;
}

// size: to be left out where the value is not understood.
static void walk(uint64_t address, type_ref type, int kind, const char *path, unsigned size, int depth) {
    if (depth > DEPTH) {
        return give_up(address, size, "depth");
    }
    if (kind != UNKNOWN && kind < STRONG) {
        const type_info info = library.infoForTypeRef(mirror, type);
        size = info.size != 0 && info.size < size ? info.size : size;
    }
    switch (kind) {
    case BUILTIN:
        // Of a bridge object's bits the highest says that nothing is owned.
        if (word(address) >> 63 == 0 && is_bridge(type)) {
            refer(address, "strong", path);
        }
        return;
    case RAW_POINTER:
    case NO_PAYLOAD_ENUM:
    case EXISTENTIAL_METATYPE:
        return;
    case TUPLE:
    case STRUCT:
    case CLASS_EXISTENTIAL:
        return walk_fields(address, type, kind, path, depth + 1);
    case SINGLE_PAYLOAD_ENUM:
    case MULTI_PAYLOAD_ENUM:
        return walk_case(address, type, kind, path, size, depth + 1);
    case OPAQUE_EXISTENTIAL:
        return walk_existential(address, type, path, size, depth + 1);
    case THICK_FUNCTION:
        return refer(address + 8, "strong", path);
    case ERROR_EXISTENTIAL:
        return refer(address, "strong", path);
    case STRONG:
        return refer(address, "strong", path);
    case UNOWNED:
        return refer(address, "unowned", path);
    case UNMANAGED:
        return refer(address, "unmanaged", path);
    case WEAK: {
        const uint64_t table = word(address) & address_bits;
        if (table >= 4096 && word(table) >= 4096) {
            printf("R %lu weak %lx %lx %s\n", address - object, word(table), table, path);
        }
        return;
    }
    default:
        return give_up(address, size, kind == UNKNOWN ? "type" : "kind");
    }
}

// MARK: - Objects

static void walk_buckets(uint64_t start, uint64_t bitmap, type_ref type) {
    const type_info info = library.infoForTypeRef(mirror, type);
    const uint64_t buckets = 1ul << (word(object + 32) & 63);
    for (uint64_t bucket = 0; bucket < buckets; bucket++) {
        if (word(object + bitmap + bucket / 64 * 8) >> (bucket % 64) & 1) {
            walk(start + bucket * info.stride, type, info.kind, "", info.size, 0);
        }
    }
}

// A generic argument of a class, which stands behind what its superclass has.
static type_ref argument(uint64_t metadata, unsigned index) {
    const uint64_t sizes = word(word(metadata + 40) + 28);
    return type_of(word(metadata + ((uint32_t)sizes - (sizes >> 32) + index) * 8));
}

// What stands behind the instance variables of the standard library's collections.
static bool walk_storage(uint64_t metadata, const char *name) {
    const bool is_array = starts(name, "Swift._ContiguousArrayStorage<");
    const bool is_dictionary = starts(name, "Swift._DictionaryStorage<");
    if (!is_array && !is_dictionary && !starts(name, "Swift._SetStorage<")) {
        return false;
    }
    const type_ref first = argument(metadata, 0), second = is_dictionary ? argument(metadata, 1) : first;
    const type_info info = library.infoForTypeRef(mirror, first);
    if (first == 0 || second == 0) {
        give_up(object, UINT32_MAX, "element");
    } else if (is_array) {
        const uint64_t start = object + ((32 + info.alignment - 1) & -(uint64_t)info.alignment);
        walk_elements(start, start + word(object + 16) * info.stride, first, "", 0);
    } else {
        walk_buckets(word(object + 48), is_dictionary ? 64 : 56, first);
        if (is_dictionary) {
            walk_buckets(word(object + 56), 64, second);
        }
    }
    return true;
}

static void walk_class(uint64_t metadata) {
    unsigned end = UINT32_MAX;
    for (int depth = 0; metadata != 0 && depth < 64; depth++) {
        char name[512];
        const type_info info = library.infoForMetadata(mirror, metadata);
        name_of(library.typeRefForMetadata(mirror, metadata), name, sizeof name);
        if (depth == 0 && walk_storage(metadata, name)) {
            return;
        }
        const uint64_t above = word(metadata + 8);
        if (info.kind != CLASS_INSTANCE) {
            uint32_t start = 16;
            if (above != 0) {
                fetch(above + 24, &start, sizeof start);
            }
            give_up(object + start, end - start, "class");
        }
        for (unsigned i = 0; info.kind == CLASS_INSTANCE && i < info.fields; i++) {
            const child_info child = library.childOfMetadata(mirror, metadata, i);
            walk(object + child.offset, child.type, child.kind, child.name == NULL ? "" : child.name,
                 info.size - child.offset, 0);
        }
        metadata = above;
        if (metadata != 0) {
            fetch(metadata + 24, &end, sizeof end);
        }
    }
}

static void walk_context(void) {
    const type_info info = library.infoForInstance(mirror, object);
    if (info.kind != CLOSURE_CONTEXT) {
        return give_up(object, UINT32_MAX, "context");
    }
    for (unsigned i = 0; i < info.fields; i++) {
        const child_info child = library.childOfInstance(mirror, object, i);
        walk(object + child.offset, child.type, child.kind, "", info.size - child.offset, 0);
    }
}

static void walk_box(uint64_t metadata, uint64_t offset) {
    const type_ref type = type_of(metadata);
    const type_info info = library.infoForTypeRef(mirror, type);
    walk(object + offset, type, info.kind, "", UINT32_MAX, 0);
}

static void walk_error(void) {
    static const char any_error[] = "s5Error_p";
    const type_ref type = library.typeRefForMangledTypeName(mirror, any_error, strlen(any_error));
    type_ref inner = 0;
    uint64_t start = 0;
    if (!library.projectExistential(mirror, object, type, &inner, &start)) {
        return give_up(object, UINT32_MAX, "error");
    }
    walk(start, inner, library.infoForTypeRef(mirror, inner).kind, "", UINT32_MAX, 0);
}

static void answer(void) {
    const uint64_t metadata = word(object);
    const uint64_t kind = word(metadata);
    if (kind == 0 || kind > 0x7ff) {
        walk_class(metadata);
    } else if (kind == 0x400) {
        walk_context();
    } else if (kind == 0x500) {
        walk_box(word(metadata + 16), (uint32_t)word(metadata + 8));
    } else if (kind == 0x501) {
        walk_error();
    } else {
        give_up(object, UINT32_MAX, "object");
    }
    printf("O %lx\n", object);
}

int main(int count, char **arguments) {
    void *handle = count == 3 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    FILE *requests = count == 3 ? fopen(arguments[2], "re") : NULL;
    if (handle == NULL || requests == NULL) {
        return 2;
    }
#define FIND(result, name, parameters)                                                                                 \
    if ((library.name = (__typeof__(library.name))dlsym(handle, "swift_reflection_" #name)) == NULL) {                 \
        return 3;                                                                                                      \
    }
    FUNCTIONS(FIND)
    mirror = library.createReflectionContext(NULL, 8, free_bytes, read_bytes, string_length, symbol_address);
    char line[4096];
    while (fgets(line, sizeof line, requests) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *end = line;
        const uint64_t address = strtoull(line + 2, &end, 16);
        if (line[0] == 'I') {
            add_image(address, end + 1);
        } else {
            object = address;
            answer();
            fflush(stdout);
        }
    }
    return 0;
}
