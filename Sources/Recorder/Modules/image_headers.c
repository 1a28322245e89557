#include "image_headers.h"

#include "arch.h"

#include <string.h>

static uint64_t padded(uint32_t size) {
    return ((uint64_t)size + 3) & ~(uint64_t)3;
}

static void read_notes(gp_build_id *build_id, const uint8_t *notes, size_t size) {
    Elf64_Nhdr note;
    size_t at = 0;
    while (size - at >= sizeof note) {  // at ≤ size
        memcpy(&note, notes + at, sizeof note);
        const uint64_t name = at + sizeof note, description = name + padded(note.n_namesz);
        const uint64_t next = description + padded(note.n_descsz);  // less than 2⁶³
        if (next > size)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            build_id->size = (uint8_t)(note.n_descsz < GP_BUILD_ID_SIZE ? note.n_descsz : GP_BUILD_ID_SIZE);
            memcpy(build_id->bytes, notes + description, build_id->size);
            return;
        }
        at = next;
    }
}

void gp_image_read_headers(gp_image_info *image, gp_build_id *build_id, const Elf64_Phdr *headers, unsigned count) {
    image->segment_count = 0;
    for (unsigned i = 0; i < count && image->segment_count < GP_IMAGE_SEGMENTS; i++) {
        const uintptr_t start = image->bias + headers[i].p_vaddr, size = headers[i].p_memsz;
        if (headers[i].p_type == PT_LOAD && size > 0 && size <= UINTPTR_MAX - start)
            image->segments[image->segment_count++] = (gp_segment){start, start + size, headers[i].p_flags};
    }
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const gp_segment *segment = &image->segments[i];
        if (i == 0 || segment->start < image->start)
            image->start = segment->start;
        if (i == 0 || segment->end > image->end)
            image->end = segment->end;
    }
    image->start = gp_page_start(image->start);
    for (unsigned i = 0; i < count && build_id->size == 0; i++) {
        const uintptr_t start = image->bias + headers[i].p_vaddr;
        const size_t readable = headers[i].p_type == PT_NOTE ? gp_image_readable(image, start) : 0;
        read_notes(build_id, (const uint8_t *)start, headers[i].p_memsz < readable ? headers[i].p_memsz : readable);
    }
}

const Elf64_Phdr *gp_program_headers(const void *file, size_t size, unsigned *count) {
    const Elf64_Ehdr *header = file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff % _Alignof(Elf64_Phdr) != 0 ||
        header->e_phoff > size || header->e_phnum > (size - header->e_phoff) / sizeof(Elf64_Phdr))
        return NULL;
    *count = header->e_phnum;
    return (const Elf64_Phdr *)((const uint8_t *)file + header->e_phoff);
}
