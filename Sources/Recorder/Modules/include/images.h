// Loaded images (executable, shared libraries), found without a lock, kept in a list. Their memory
// is never given back. Program headers are read from memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "image_layout.h"
#include "mapping.h"

struct gp_thread;

// Whether the file that the image was loaded from has a name that begins so ("libc.so").
static inline bool gp_image_is_called(const gp_image_info *image, const char *beginning) {
    const char *slash = image->path ? strrchr(image->path, '/') : NULL;
    return slash && !strncmp(slash + 1, beginning, strlen(beginning));
}

// The image that contains `address`, NULL: none. Lock-free; at the first sight of an image writes its GP_IMAGE record
// (thread may be NULL: then the record is written later, by the next call that has one).
const gp_image_info *gp_image_find(struct gp_thread *thread, uintptr_t address);

// The same, as the loader knows it now: an image that libc itself unloaded is gone by then. ~50 ns.
const gp_image_info *gp_image_find_loaded(struct gp_thread *thread, uintptr_t address);

// First of all images over `next`.
const gp_image_info *gp_image_first(void);

// Finds all images through dl_iterate_phdr. Takes the loader's lock: only at start and before a snapshot's freeze.
void gp_images_refresh(struct gp_thread *thread);

// In a child made by fork: writes the records of all images. Where the parent had other threads (`was_alone` is false) the
// loader's lock is not taken any more: what is loaded later is found when its code or its types are seen.
void gp_images_begin_in_child(struct gp_thread *thread, bool was_alone);

// A recording begins in a process that made one before: writes the records of all images.
void gp_images_write_again(struct gp_thread *thread);

// A thread's control block with its thread-local variables of images that came with the program. Known after
// gp_images_refresh.
gp_mapping gp_images_thread_locals(uintptr_t control_block);

// Writes the records that could not be written when their images were found. A load and a branch when there are none.
void gp_images_write_pending(struct gp_thread *thread);

// Says whether the list may be taken as complete: then an address in none of its images is in none at all, and no lookup
// asks the loader. For the frozen child, after gp_images_refresh.
void gp_images_set_complete(bool complete);

// Finds the images that are gone: call after dlclose. Takes no lock.
void gp_images_changed(void);

// What is learnt of images elsewhere, and must be forgotten with them. Lock-free, in any thread.
typedef struct {
    uint32_t (*found)(void);  // what it returns is given back when the image is gone
    void (*gone)(uintptr_t start, uintptr_t end, uint32_t found);
} gp_image_observer;

// Call before the first image is found.
void gp_images_observe(const gp_image_observer *observer);

bool gp_address_is_executable(uintptr_t address);
bool gp_address_is_readable_image(uintptr_t address, size_t size);
bool gp_address_is_readable_code(uintptr_t address, size_t size);

// The dynamic linker's code: what it allocates is reachable from its own data, which no scan reads.

extern __attribute__((visibility("hidden"))) uintptr_t gp_loader_start, gp_loader_size;

void gp_loader_find(void);

static inline bool gp_is_loader_code(uintptr_t pc) {
    return pc - gp_loader_start < gp_loader_size;
}
