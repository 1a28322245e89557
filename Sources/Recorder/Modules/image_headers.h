// Reading the ELF headers of a loaded image from memory.
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#include "images.h"

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

// The images in the trace.

// Writes GP_IMAGE, with the path resolved as far as it can be without taking a lock.
void gp_image_write(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id);

// Writes GP_IMAGE_GONE.
void gp_image_write_gone(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id);

// The loaded object (executable, shared library) that contains an address, as the loader knows it now.

typedef struct {
    uintptr_t start, end;  // its pages
    uintptr_t bias;
    const char *path;  // of the loader: may be empty for the executable
    uintptr_t eh_frame;  // its .eh_frame_hdr, 0: none
} gp_loaded_object;

// False: no object is there. No lock, async-signal-safe. 50 ns by glibc 2.35 and later, which have _dl_find_object; before
// it the loader's list is walked, at a system call or two for each object.
bool gp_loaded_object_at(uintptr_t address, gp_loaded_object *object);

// The walk alone.
bool gp_loaded_object_in_list(uintptr_t address, gp_loaded_object *object);
