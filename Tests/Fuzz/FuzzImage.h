// An image of two segments with a hole between them, at the same addresses in every execution, so that an input means the
// same again. A read outside the segments' contents is stopped by AddressSanitizer.
#ifndef FUZZ_IMAGE_H
#define FUZZ_IMAGE_H

#include <elf.h>
#include <sanitizer/asan_interface.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "images.h"

enum {
    FUZZ_PART_MOST = 0x4000,
    FUZZ_FIRST = 0x10004000,
    FUZZ_SECOND = 0x1000c000,
    FUZZ_START = 0x10000000,
    FUZZ_SIZE = 0x14000,
};

// What must hold whatever the input is.
#define FUZZ_REQUIRE(condition)                                                                                        \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), abort()))

static inline uint64_t fuzz_take(const uint8_t **data, size_t *size, size_t bytes) {
    uint64_t number = 0;
    bytes = bytes < *size ? bytes : *size;
    memcpy(&number, *data, bytes);
    *data += bytes;
    *size -= bytes;
    return number;
}

static inline void *fuzz_place(uintptr_t address, const uint8_t *data, size_t size) {
    __asan_unpoison_memory_region((void *)address, size);
    memcpy((void *)address, data, size);
    return (void *)address;
}

// An image whose first segment begins with the first `split` bytes of the input; the second has the others.
static inline gp_image_info fuzz_image(const uint8_t *data, size_t size, size_t split) {
    static void *memory;
    if (!memory)
        memory = mmap((void *)(uintptr_t)FUZZ_START, FUZZ_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    FUZZ_REQUIRE(memory == (void *)(uintptr_t)FUZZ_START);
    __asan_poison_memory_region(memory, FUZZ_SIZE);
    size = size < 2 * FUZZ_PART_MOST ? size : 2 * FUZZ_PART_MOST;
    split = split < size ? split : size;
    split = split < FUZZ_PART_MOST ? split : FUZZ_PART_MOST;
    size_t rest = size - split < FUZZ_PART_MOST ? size - split : FUZZ_PART_MOST;
    fuzz_place(FUZZ_FIRST, data, split);
    fuzz_place(FUZZ_SECOND, data + split, rest);
    gp_image_info image = {.start = FUZZ_FIRST, .end = FUZZ_SECOND + rest, .bias = FUZZ_FIRST};
    if (split > 0)
        image.segments[image.segment_count++] = (gp_segment){FUZZ_FIRST, FUZZ_FIRST + split, PF_R | PF_X};
    if (rest > 0)
        image.segments[image.segment_count++] = (gp_segment){FUZZ_SECOND, FUZZ_SECOND + rest, PF_R | PF_W};
    return image;
}

#endif
