// Metadata made at run time lies in malloc'ed slabs of 16 KiB (or in one block of its own when it is larger).
#include "context_descriptor.h"
#include "images.h"
#include "live_table.h"
#include "metadata.h"
#include "safe_read.h"

bool gp_metadata_without_blocks;

enum { SLAB_BYTES = 16384, LEAST_SLAB_BYTES = 1024, KNOWN_SLABS = 64 };

// Of a class with thousands of methods. The allocator may unmap a larger block while it is looked at: another thread frees it.
enum { LARGEST_BYTES = 64 << 10 };

// Slabs are never freed: what was once found to be one needs no search again.
static uintptr_t known_slabs[KNOWN_SLABS];

static bool is_known(uintptr_t metadata) {
    for (unsigned i = 0; i < KNOWN_SLABS; i++) {
        uintptr_t slab = __atomic_load_n(&known_slabs[i], __ATOMIC_RELAXED);
        if (slab == 0)
            return false;
        if (metadata - slab - 16 <= SLAB_BYTES - GP_CLASS_BYTES - 16)
            return true;
    }
    return false;
}

static void remember(uintptr_t slab) {
    for (unsigned i = 0; i < KNOWN_SLABS; i++) {
        uintptr_t none = 0;
        if (__atomic_compare_exchange_n(&known_slabs[i], &none, slab, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
            none == slab)
            return;
    }
}

// Whether metadata of a nominal type stands at `at`.
static bool is_nominal(uintptr_t at) {
    uintptr_t kind = gp_metadata_kind(at);
    if (kind == GP_KIND_CLASS)
        return gp_metadata_is_class(at);
    if (kind < GP_KIND_STRUCT || kind > GP_KIND_OPTIONAL)
        return false;
    uintptr_t descriptor = gp_word_at(at + 8);
    return gp_address_is_readable_image(descriptor, GP_CLASS_DESCRIPTOR_BYTES) && gp_context_is_type(descriptor);
}

// Looked at in a copy: what is no metadata may be unmapped meanwhile. Boxes must name their destroyer; kinds of types without a
// descriptor are met as arguments of other metadata alone.
static bool is_copied_metadata(uintptr_t metadata) {
    _Alignas(8) unsigned char copy[16 + GP_CLASS_BYTES];
    if (!gp_safe_read(metadata - 16, copy, sizeof copy))
        return false;
    const uintptr_t at = (uintptr_t)copy + 16, kind = gp_metadata_kind(at);
    if (kind == GP_KIND_GENERIC_BOX)
        return gp_address_is_executable(gp_word_at(at - 16));
    return is_nominal(at) || (kind >= GP_KIND_OPAQUE && kind < GP_KIND_LOCAL);
}

bool gp_metadata_is_in_slab(uintptr_t metadata) {
    if (gp_metadata_without_blocks)
        return is_copied_metadata(metadata);
    if (is_known(metadata))
        return true;
    gp_block block;
    if (!gp_live_get_before(metadata, SLAB_BYTES, &block))
        return false;
    // The address point of metadata is never the start of its block.
    uintptr_t offset = metadata - block.address;
    if (offset < 16 || block.size < LEAST_SLAB_BYTES || offset + GP_CLASS_BYTES > block.size)
        return false;
    if (block.size == SLAB_BYTES && gp_word_at(metadata) <= GP_KIND_JOB) {
        if (gp_metadata_is_class(metadata))
            remember(block.address);
        return true;
    }
    return block.size > SLAB_BYTES / 2 && block.size <= LARGEST_BYTES;
}
