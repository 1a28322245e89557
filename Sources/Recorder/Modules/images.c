#include "images.h"

#include "arch.h"
#include "arena.h"
#include "image_headers.h"
#include "safe_read.h"
#include "thread_control_block.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <sys/auxv.h>

enum { PAGE = GP_PAGE };

// What is kept of an image besides what others may see.
typedef struct {
    gp_image_info info;
    gp_build_id build_id;  // with start and eh_frame it tells the image from another one loaded at its place
    uint32_t seen;  // what the observer returned when it was found
    atomic_bool written, gone_written;
} known_image;

// A segment in the sorted array.
typedef struct {
    uintptr_t start, end;
    uint32_t flags;
    known_image *image;
} segment_entry;

// All segments of the images from `newest` on, in ascending order. Never changed once it can be seen.
typedef struct {
    known_image *newest;
    uint32_t count, gone;
    segment_entry entries[];
} segment_index;

static known_image *_Atomic newest_image;
static segment_index *_Atomic segments;
static _Atomic uint32_t unwritten;  // records that no thread could write yet
static _Atomic uint32_t gone_count;
static atomic_bool complete;
static bool is_lock_lost;  // of the loader: a thread may have had it that this process does not have
static const gp_image_observer *_Atomic image_observer;

void gp_images_observe(const gp_image_observer *observer) {
    atomic_store(&image_observer, observer);
}

const gp_image_info *gp_image_first(void) {
    known_image *image = atomic_load_explicit(&newest_image, memory_order_acquire);
    return image ? &image->info : NULL;
}

void gp_images_set_complete(bool is_complete) {
    atomic_store(&complete, is_complete);
}

static known_image *next_of(const known_image *image) {
    return (known_image *)__atomic_load_n(&image->info.next, __ATOMIC_ACQUIRE);
}

void gp_images_write_pending(struct gp_thread *thread) {
    if (!thread || atomic_load_explicit(&unwritten, memory_order_relaxed) == 0)
        return;
    int error = errno;
    for (known_image *image = atomic_load(&newest_image); image; image = next_of(image)) {
        if (!atomic_exchange(&image->written, true)) {
            atomic_fetch_sub(&unwritten, 1);
            gp_image_write(thread, &image->info, &image->build_id);
        }
        if (image->info.gone && !atomic_exchange(&image->gone_written, true)) {
            atomic_fetch_sub(&unwritten, 1);
            gp_image_write_gone(thread, &image->info, &image->build_id);
        }
    }
    errno = error;
}

// Takes images that are gone and reported out of the list, so that a program may load and unload for ever. Who stands at
// one of them goes on from there to the others; a link that two threads set leaves out nothing but what is gone.
static void leave_out_gone(void) {
    known_image *last = atomic_load(&newest_image);
    for (known_image *image = last ? next_of(last) : NULL; image; image = next_of(image)) {
        if (atomic_load(&image->gone_written))
            continue;
        if (next_of(last) != image)
            __atomic_store_n(&last->info.next, &image->info, __ATOMIC_RELEASE);
        last = image;
    }
}

static void rebuild_index(void) {
    leave_out_gone();
    segment_index *old = atomic_load(&segments);
    known_image *newest = atomic_load(&newest_image);
    uint32_t gone = atomic_load(&gone_count), count = 0;
    if (old && old->newest == newest && old->gone == gone)
        return;
    for (known_image *image = newest; image; image = next_of(image))
        count += image->info.gone ? 0 : image->info.segment_count;
    segment_index *index = gp_arena_allocate(sizeof *index + count * sizeof(segment_entry));
    if (!index)
        return;
    index->newest = newest;
    index->gone = gone;
    for (known_image *image = newest; image; image = next_of(image)) {
        for (uint32_t i = 0; !image->info.gone && i < image->info.segment_count && index->count < count; i++) {
            const gp_segment *segment = &image->info.segments[i];
            uint32_t place = index->count++;
            for (; place > 0 && index->entries[place - 1].start > segment->start; place--)
                index->entries[place] = index->entries[place - 1];
            index->entries[place] = (segment_entry){segment->start, segment->end, segment->flags, image};
        }
    }
    atomic_compare_exchange_strong(&segments, &old, index);
}

static void mark_gone(known_image *image) {
    if (image->info.gone)
        return;
    image->info.gone = true;
    atomic_fetch_add(&gone_count, 1);
    atomic_fetch_add(&unwritten, 1);
    const gp_image_observer *observer = atomic_load(&image_observer);
    if (observer)
        observer->gone(image->info.start, image->info.end, image->seen);
}

static bool is_same(const known_image *image, const known_image *other) {
    return !image->info.gone && image->info.start == other->info.start && image->info.end == other->info.end &&
           image->info.eh_frame == other->info.eh_frame && image->build_id.size == other->build_id.size &&
           memcmp(image->build_id.bytes, other->build_id.bytes, other->build_id.size) == 0;
}

static const char *copy_of(const char *text) {
    size_t size = text ? strlen(text) + 1 : 1;
    char *copy = gp_arena_allocate(size);
    if (!copy)
        return "";
    if (text)
        memcpy(copy, text, size);
    return copy;
}

// The known image with these headers, made known if it is not.
static known_image *know(const char *path, uintptr_t bias, const Elf64_Phdr *headers, unsigned count,
                         uintptr_t eh_frame) {
    const gp_image_observer *observer = atomic_load(&image_observer);
    known_image fresh = {.info = {.bias = bias, .eh_frame = eh_frame}, .seen = observer ? observer->found() : 0};
    gp_image_read_headers(&fresh.info, &fresh.build_id, headers, count);
    known_image *kept = NULL;
    known_image *newest = atomic_load_explicit(&newest_image, memory_order_acquire);
    for (;;) {
        for (known_image *image = newest; image; image = next_of(image)) {
            if (is_same(image, &fresh))
                return image;
            if (image->info.start < fresh.info.end && fresh.info.start < image->info.end)
                mark_gone(image);
        }
        if (!kept) {
            kept = gp_arena_allocate(sizeof *kept);
            if (!kept)
                return NULL;
            memcpy(kept, &fresh, sizeof fresh);
            kept->info.path = copy_of(path);
        }
        kept->info.next = newest ? &newest->info : NULL;
        if (atomic_compare_exchange_weak(&newest_image, &newest, kept)) {
            atomic_fetch_add(&unwritten, 1);
            return kept;
        }
    }
}

// The program headers of the image whose pages are `start` to `end`, if they stand in the first of them as they do in every
// file that was not edited. NULL: what stands there is not what the image was mapped by.
static const Elf64_Phdr *headers_at(uintptr_t start, uintptr_t end, uintptr_t bias, unsigned *count) {
    const Elf64_Phdr *headers = gp_is_readable(start) ? gp_program_headers((const void *)start, PAGE, count) : NULL;
    uintptr_t first = end, last = start;
    for (unsigned i = 0; headers && i < *count; i++) {
        const uintptr_t place = bias + headers[i].p_vaddr;
        if (headers[i].p_type != PT_LOAD || headers[i].p_memsz == 0)
            continue;
        if (place < start || place > end || headers[i].p_memsz > end - place)
            return NULL;
        first = place < first ? place : first;
        last = place + headers[i].p_memsz > last ? place + headers[i].p_memsz : last;
    }
    return first < start + gp_page_size() && end - last < gp_page_size() ? headers : NULL;
}

// Segments for an image whose own are not known: the pages between `start` and `end` that can be read.
static unsigned headers_of_pages(uintptr_t start, uintptr_t end, uintptr_t bias, Elf64_Phdr *headers) {
    unsigned count = 0;
    bool goes_on = false;
    for (uintptr_t page = start; page < end; page += PAGE) {
        bool readable = gp_is_readable(page);
        if (readable && !goes_on && count == GP_IMAGE_SEGMENTS)
            break;
        if (readable && !goes_on)
            headers[count++] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = page - bias};
        if (readable)
            headers[count - 1].p_memsz += PAGE;
        goes_on = readable;
    }
    return count;
}

// Asks the loader, without its lock, for the image at `address`.
static known_image *discover(uintptr_t address) {
    gp_loaded_object object;
    if (!gp_loaded_object_at(address, &object))
        return NULL;
    unsigned count = 0;
    const Elf64_Phdr *headers = headers_at(object.start, object.end, object.bias, &count);
    Elf64_Phdr pages[GP_IMAGE_SEGMENTS];
    if (!headers && object.path[0] == 0) {
        headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
        count = (unsigned)getauxval(AT_PHNUM);
    }
    if (!headers) {
        headers = pages;
        count = headers_of_pages(object.start, object.end, object.bias, pages);
    }
    return know(object.path, object.bias, headers, count, object.eh_frame);
}

static const segment_entry *indexed_segment(const segment_index *index, uintptr_t address) {
    uint32_t low = 0, high = index ? index->count : 0;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (index->entries[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const segment_entry *entry = low ? &index->entries[low - 1] : NULL;
    return entry && address < entry->end && !entry->image->info.gone ? entry : NULL;
}

// The segment that contains `address`, NULL: none.
static const gp_segment *segment_at(uintptr_t address, known_image **image_found) {
    const segment_index *index = atomic_load_explicit(&segments, memory_order_acquire);
    const segment_entry *entry = indexed_segment(index, address);
    known_image *image = entry ? entry->image : NULL;
    if (!image) {
        if (atomic_load_explicit(&complete, memory_order_relaxed))
            return NULL;
        image = discover(address);
        if (!image)
            return NULL;
        rebuild_index();
    }
    *image_found = image;
    for (uint32_t i = 0; i < image->info.segment_count; i++) {
        if (address >= image->info.segments[i].start && address < image->info.segments[i].end)
            return &image->info.segments[i];
    }
    return NULL;
}

const gp_image_info *gp_image_find(struct gp_thread *thread, uintptr_t address) {
    known_image *image = NULL;
    segment_at(address, &image);
    gp_images_write_pending(thread);
    return image && !image->info.gone ? &image->info : NULL;
}

const gp_image_info *gp_image_find_loaded(struct gp_thread *thread, uintptr_t address) {
    gp_loaded_object object;
    const gp_image_info *image = gp_image_find(thread, address);
    if (!image || !gp_loaded_object_at(address, &object))
        return NULL;
    if (image->eh_frame == object.eh_frame)
        return image;
    gp_images_changed();
    return gp_image_find(thread, address);
}

// Images that came with the program have their variables there; what is loaded later may have them anywhere.
enum { THREAD_LOCALS_MAX = 8192 };
static _Atomic uintptr_t thread_locals_reach;  // from the control block to their other end

static void note_thread_locals(uintptr_t start, size_t size) {
    const uintptr_t block = gp_control_block();
    const uintptr_t reach = GP_CONTROL_BLOCK_IS_AT_POINTER ? block - start : start + size - block;
    if (start && reach <= THREAD_LOCALS_MAX && reach > thread_locals_reach)
        thread_locals_reach = reach;
}

gp_mapping gp_images_thread_locals(uintptr_t control_block) {
    if (GP_CONTROL_BLOCK_IS_AT_POINTER)
        return (gp_mapping){control_block - thread_locals_reach, control_block + GP_CONTROL_BLOCK};
    return (gp_mapping){control_block, control_block + thread_locals_reach};
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    uintptr_t eh_frame = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            note_thread_locals((uintptr_t)info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz);
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME && eh_frame == 0)
            eh_frame = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    }
    know(info->dlpi_name, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum, eh_frame);
    return 0;
}

void gp_images_changed(void) {
    for (known_image *image = atomic_load(&newest_image); image; image = next_of(image)) {
        gp_loaded_object object;
        if (!image->info.gone &&
            (!gp_loaded_object_at(image->info.start, &object) || object.eh_frame != image->info.eh_frame))
            mark_gone(image);
    }
    rebuild_index();
}

void gp_images_begin_in_child(struct gp_thread *thread, bool was_alone) {
    is_lock_lost |= !was_alone;
    gp_images_write_again(thread);
}

void gp_images_write_again(struct gp_thread *thread) {
    atomic_store(&unwritten, 0);
    for (known_image *image = atomic_load(&newest_image); image; image = next_of(image)) {
        atomic_store(&image->written, image->info.gone);
        atomic_store(&image->gone_written, image->info.gone);
        atomic_fetch_add(&unwritten, !image->info.gone);
    }
    gp_images_write_pending(thread);
}

void gp_images_refresh(struct gp_thread *thread) {
    if (!is_lock_lost)
        dl_iterate_phdr(visit, NULL);
    gp_images_changed();
    gp_images_write_pending(thread);
}

bool gp_address_is_executable(uintptr_t address) {
    known_image *image;
    const gp_segment *segment = segment_at(address, &image);
    return segment && segment->flags & PF_X;
}

bool gp_address_is_readable_image(uintptr_t address, size_t size) {
    known_image *image;
    const gp_segment *segment = segment_at(address, &image);
    return segment && segment->flags & PF_R && size <= segment->end - address;
}

bool gp_address_is_readable_code(uintptr_t address, size_t size) {
    known_image *image;
    const gp_segment *segment = segment_at(address, &image);
    return segment && (segment->flags & (PF_R | PF_X)) == (PF_R | PF_X) && size <= segment->end - address;
}
