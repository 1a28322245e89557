#include "image_layout.h"

#include <elf.h>

size_t gp_image_readable(const gp_image_info *image, uintptr_t address) {
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const gp_segment *segment = &image->segments[i];
        if (segment->flags & PF_R && address >= segment->start && address < segment->end)
            return segment->end - address;
    }
    return 0;
}

bool gp_image_has_code(const gp_image_info *image, uintptr_t address, size_t size) {
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const gp_segment *segment = &image->segments[i];
        if ((~segment->flags & (PF_R | PF_X)) == 0 && address >= segment->start && address < segment->end)
            return size <= segment->end - address;
    }
    return false;
}
