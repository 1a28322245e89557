// Asks whether words that are no Swift object's first word are taken for one: random numbers, addresses everywhere in
// images, heap and unmapped memory. Prints how many were.
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned (*kinds_function)(const uintptr_t *words, size_t count);

static kinds_function kinds;
static unsigned found, asked;

static void ask(uintptr_t word) {
    found += kinds(&word, 1);
    asked++;
}

static int each_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) {
            continue;
        }
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        for (uintptr_t at = start - 64; at < start + header->p_memsz + 64; at += 8) {
            ask(at);
        }
    }
    return 0;
}

int main(void) {
    kinds = (kinds_function)dlsym(NULL, "runtime_kinds");
    if (kinds == NULL) {
        return 2;
    }
    dl_iterate_phdr(each_image, NULL);
    srandom(7);
    uintptr_t *blocks[256];
    for (int i = 0; i < 256; i++) {
        size_t size = 16 + (size_t)random() % 40000;
        blocks[i] = malloc(size);
        for (size_t word = 0; word < size / 8; word++) {
            blocks[i][word] = (uintptr_t)blocks[(size_t)random() % (i + 1)] + (size_t)random() % 512 * 8;
        }
        for (size_t word = 0; word < size / 8 + 64; word++) {
            ask((uintptr_t)(blocks[i] + word));
        }
    }
    for (int i = 0; i < 1000000; i++) {
        ask((uintptr_t)random() << 31 ^ (uintptr_t)random());
        ask((uintptr_t)random() % 32768);
    }
    fprintf(stderr, "asked %u\n", asked);
    printf("%u\n", found);
    return 0;
}
