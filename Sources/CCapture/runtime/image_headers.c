#include "image_headers.h"

#include <string.h>

static void read_notes(gp_build_id *build_id, uintptr_t at, uintptr_t end) {
    while (end - at >= sizeof(Elf64_Nhdr) && at < end) {
        const Elf64_Nhdr *note = (const Elf64_Nhdr *)at;
        uintptr_t name = at + sizeof *note;
        uintptr_t description = name + ((note->n_namesz + 3u) & ~3u);
        uintptr_t next = description + ((note->n_descsz + 3u) & ~3u);
        if (next < at || next > end)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp((const char *)name, "GNU", 4) == 0) {
            build_id->size = (uint8_t)(note->n_descsz < GP_BUILD_ID_SIZE ? note->n_descsz : GP_BUILD_ID_SIZE);
            memcpy(build_id->bytes, (const void *)description, build_id->size);
            return;
        }
        at = next;
    }
}

void gp_image_read_headers(gp_image_info *image, gp_build_id *build_id, const Elf64_Phdr *headers, unsigned count) {
    image->segment_count = 0;
    for (unsigned i = 0; i < count; i++) {
        uintptr_t start = image->bias + headers[i].p_vaddr;
        uintptr_t end = start + headers[i].p_memsz;
        if (headers[i].p_type == PT_LOAD && image->segment_count < GP_IMAGE_SEGMENTS)
            image->segments[image->segment_count++] = (gp_segment){start, end, headers[i].p_flags};
        else if (headers[i].p_type == PT_NOTE && build_id->size == 0)
            read_notes(build_id, start, end);
    }
    if (image->segment_count > 0) {
        image->start = image->segments[0].start & ~(uintptr_t)4095;
        image->end = image->segments[image->segment_count - 1].end;
    }
}

const Elf64_Phdr *gp_image_program_headers(uintptr_t start, unsigned *count) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)start;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phentsize != sizeof(Elf64_Phdr))
        return NULL;
    *count = header->e_phnum;
    return (const Elf64_Phdr *)(start + header->e_phoff);
}
