// Where the parts of an executable or a shared library lie in memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GP_IMAGE_SEGMENTS 16

typedef struct {
    uintptr_t start, end;  // in memory, start < end
    uint32_t flags;  // PF_R | PF_W | PF_X
} gp_segment;

typedef struct gp_image_info {
    uintptr_t start, end, bias;
    uint32_t segment_count;
    gp_segment segments[GP_IMAGE_SEGMENTS];  // PT_LOAD
    uintptr_t eh_frame;  // its .eh_frame_hdr, as its program headers claim; 0: none
    bool gone;  // dlclose
    const char *path;  // of the loader: may be empty for the executable
    struct gp_image_info *next;
} gp_image_info;

// How many bytes from `address` on can be read: up to the end of its segment. 0: it lies in no readable segment.
size_t gp_image_readable(const gp_image_info *image, uintptr_t address);

// Whether `size` bytes from `address` on lie in a segment with readable code.
bool gp_image_has_code(const gp_image_info *image, uintptr_t address, size_t size);
