// Reading the ELF headers of a loaded image from memory.
#pragma once

#include "images.h"

#include <elf.h>
#include <stdint.h>

#define GP_BUILD_ID_SIZE 31

typedef struct {
    uint8_t size;  // 0: none
    uint8_t bytes[GP_BUILD_ID_SIZE];
} gp_build_id;

// Fills in segments, start and end (from the segments) and the build id of an image whose bias is known. What the
// headers say is not believed beyond what they map: the loader ignores most of it.
void gp_image_read_headers(gp_image_info *image, gp_build_id *build_id, const Elf64_Phdr *headers, unsigned count);

// The program headers of the ELF file whose first `size` bytes stand at `file`; NULL when no ELF header stands there or
// they lie beyond.
const Elf64_Phdr *gp_program_headers(const void *file, size_t size, unsigned *count);
