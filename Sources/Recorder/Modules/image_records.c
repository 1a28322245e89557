#include "image_headers.h"

#include "arch.h"
#include "TraceFormat.h"
#include "trace_writer.h"
#include "words.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static gp_image record_of(uint8_t kind, const gp_image_info *image, const gp_build_id *build_id) {
    gp_image record = {
        .header.kind = kind,
        .bias = image->bias,
        .start = image->start,
        .end = image->end,
        .build_id_size = build_id->size,
    };
    memcpy(record.build_id, build_id->bytes, build_id->size);
    for (uint32_t i = 0; i < image->segment_count; i++) {
        if (!(image->segments[i].flags & PF_X))
            continue;
        if (record.text_start == 0)
            record.text_start = image->segments[i].start;
        record.text_end = image->segments[i].end;
    }
    return record;
}

// The file that is mapped at the image's first segment, as the kernel knows it. 0: not known.
static size_t mapped_path(const gp_image_info *image, char path[PATH_MAX]) {
    if (image->segment_count == 0)
        return 0;
    char name[64] = "/proc/self/map_files/";
    char *at = gp_hexadecimal_write(name + strlen(name), image->start);
    *at++ = '-';
    *gp_hexadecimal_write(at, gp_page_end(image->segments[0].end)) = 0;
    ssize_t size = readlink(name, path, PATH_MAX);
    return size > 0 ? (size_t)size : 0;
}

// The loader's name of the executable is empty, and that of a library may be relative to a directory that the program
// has left since.
static size_t resolved_path(const gp_image_info *image, char path[PATH_MAX]) {
    ssize_t size = 0;
    if (image->path[0] == 0)
        size = readlink("/proc/self/exe", path, PATH_MAX);
    else if (image->path[0] != '/' && strchr(image->path, '/'))
        size = (ssize_t)mapped_path(image, path);
    if (size > 0)
        return (size_t)size;
    size_t length = strlen(image->path);
    if (length > PATH_MAX)
        length = PATH_MAX;
    memcpy(path, image->path, length);
    return length;
}

void gp_image_write(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id) {
    char path[PATH_MAX];
    gp_image record = record_of(GP_IMAGE, image, build_id);
    gp_write_record(thread, &record, sizeof record, path, resolved_path(image, path));
}

void gp_image_write_gone(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id) {
    gp_image record = record_of(GP_IMAGE_GONE, image, build_id);
    gp_write_record(thread, &record, sizeof record, "", 0);
}
