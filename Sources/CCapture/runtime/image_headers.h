// Reading the ELF headers of a loaded image from memory.
#ifndef GP_IMAGE_HEADERS_H
#define GP_IMAGE_HEADERS_H

#include "images.h"

#include <elf.h>
#include <stdint.h>

#define GP_BUILD_ID_SIZE 31

typedef struct {
    uint8_t size;  // 0: none
    uint8_t bytes[GP_BUILD_ID_SIZE];
} gp_build_id;

// Fills in segments, start and end (from the segments) and the build id of an image whose bias is known.
void gp_image_read_headers(gp_image_info *image, gp_build_id *build_id, const Elf64_Phdr *headers, unsigned count);

// The program headers of the image mapped at `start`; NULL when no ELF header stands there.
const Elf64_Phdr *gp_image_program_headers(uintptr_t start, unsigned *count);

#endif
