// mutants LIBRARY SEED FIRST COUNT: loads COUNT copies of a library, one after the other, whose call frame information,
// build id or ELF header are damaged, and calls its functions, which allocate. Nobody but an unwinder reads what is
// damaged.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARTS_MOST = 8, MUTATIONS_MOST = 6 };

typedef struct {
    size_t offset, size;
} part;

static uint64_t state;

static uint64_t random_word(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void fail(const char *what) {
    fprintf(stderr, "mutants: %s\n", what);
    exit(3);
}

// The sections by name and the headers of the segments that the dynamic loader passes on without reading them.
static size_t find_parts(const uint8_t *file, part *parts) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(file + header->e_phoff);
    const char *names = (const char *)file + sections[header->e_shstrndx].sh_offset;
    size_t count = 0;
    for (int i = 0; i < header->e_shnum; i++) {
        const char *name = names + sections[i].sh_name;
        if (!strcmp(name, ".eh_frame") || !strcmp(name, ".eh_frame_hdr") || !strcmp(name, ".note.gnu.build-id"))
            parts[count++] = (part){sections[i].sh_offset, sections[i].sh_size};
    }
    for (int i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_GNU_EH_FRAME)
            parts[count++] = (part){(size_t)((const uint8_t *)&segments[i].p_vaddr - file), sizeof(uint64_t)};
    return count;
}

static uint32_t telling_word(void) {
    static const uint32_t words[] = {0, 1, 4, 0xff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x1000, 0xfffff000};
    uint64_t choice = random_word();
    return choice % 3 == 0 ? (uint32_t)random_word() : words[choice / 3 % (sizeof words / sizeof *words)];
}

static void mutate(uint8_t *file, const part *parts, size_t count) {
    for (uint64_t left = random_word() % MUTATIONS_MOST + 1; left > 0; left--) {
        const part *part = &parts[random_word() % count];
        uint8_t *at = file + part->offset + random_word() % part->size;
        size_t room = part->size - (size_t)(at - file - part->offset);
        uint32_t word = telling_word();
        switch (random_word() % 4) {
        case 0:
            *at ^= (uint8_t)(1u << random_word() % 8);
            break;
        case 1:
            *at = (uint8_t)random_word();
            break;
        default:  // most numbers of these sections are words at multiples of four
            at -= (at - file) % 4;
            memcpy(at, &word, room < sizeof word ? room : sizeof word);
            break;
        }
    }
}

// Some programs wipe the headers of what they have loaded; nobody needs them any more.
static void mutate_loaded_header(const void *function) {
    Dl_info info;
    if (!dladdr(function, &info) || mprotect(info.dli_fbase, 4096, PROT_READ | PROT_WRITE) != 0)
        fail("no header in memory");
    const part header = {0, sizeof(Elf64_Ehdr)};
    if (random_word() % 4 == 0)
        memset(info.dli_fbase, 0, sizeof(Elf64_Ehdr));
    else
        mutate(info.dli_fbase, &header, 1);
    if (mprotect(info.dli_fbase, 4096, PROT_READ | PROT_EXEC) != 0)
        fail("no code in memory");
}

static unsigned long run(const uint8_t *file, size_t size, unsigned depth) {
    char path[64];
    int descriptor = memfd_create("mutant", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, file, size) != (ssize_t)size)
        fail("no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail(dlerror());
    unsigned long (*work)(unsigned) = (unsigned long (*)(unsigned))dlsym(library, "work");
    if (!work)
        fail("no function in the library");
    if (random_word() % 4 == 0)
        mutate_loaded_header((const void *)work);
    unsigned long result = work(depth);
    dlclose(library);
    close(descriptor);
    return result;
}

int main(int count, char **arguments) {
    if (count != 5)
        fail("LIBRARY SEED FIRST COUNT");
    struct stat status;
    int descriptor = open(arguments[1], O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        fail("the library cannot be read");
    size_t size = (size_t)status.st_size;
    uint8_t *sound = malloc(size), *file = malloc(size);
    if (read(descriptor, sound, size) != (ssize_t)size)
        fail("the library cannot be read");
    close(descriptor);
    part parts[PARTS_MOST];
    size_t part_count = find_parts(sound, parts);
    if (part_count < 4)
        fail("the library lacks a section");
    const uint64_t seed = strtoull(arguments[2], NULL, 10), first = strtoull(arguments[3], NULL, 10);
    unsigned long sum = 0;
    for (uint64_t i = first; i < first + strtoull(arguments[4], NULL, 10); i++) {
        state = seed * 0x100000001b3u + i;
        memcpy(file, sound, size);
        mutate(file, parts, part_count);
        sum = sum * 31 + run(file, size, (unsigned)(i % 5));
    }
    printf("%lu\n", sum);
    free(sound);
    free(file);
    return 0;
}
