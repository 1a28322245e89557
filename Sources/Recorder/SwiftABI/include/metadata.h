// Type metadata: its kinds, the class record, and where metadata may lie.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "word.h"

enum {
    GP_KIND_CLASS = 0,
    GP_KIND_STRUCT = 0x200,
    GP_KIND_ENUM = 0x201,
    GP_KIND_OPTIONAL = 0x202,
    GP_KIND_FOREIGN_CLASS = 0x203,
    GP_KIND_FOREIGN_REFERENCE = 0x204,
    GP_KIND_OPAQUE = 0x300,
    GP_KIND_TUPLE = 0x301,
    GP_KIND_FUNCTION = 0x302,
    GP_KIND_EXISTENTIAL = 0x303,
    GP_KIND_METATYPE = 0x304,
    GP_KIND_EXISTENTIAL_METATYPE = 0x306,
    GP_KIND_EXTENDED_EXISTENTIAL = 0x307,
    GP_KIND_LOCAL = 0x400,
    GP_KIND_GENERIC_BOX = 0x500,
    GP_KIND_ERROR = 0x501,
    GP_KIND_TASK = 0x502,
    GP_KIND_JOB = 0x503,
};

// Offsets in class metadata.
enum {
    GP_CLASS_SUPERCLASS = 8,
    GP_CLASS_RESERVED = 20,
    GP_CLASS_INSTANCE_SIZE = 24,
    GP_CLASS_ALIGNMENT_MASK = 28,
    GP_CLASS_ADDRESS_POINT = 36,
    GP_CLASS_DESCRIPTOR = 40,
    GP_CLASS_BYTES = 48,
};

// The size of the header of every heap object: metadata word and reference count word.
#define GP_OBJECT_HEADER 16u

static inline uintptr_t gp_metadata_kind(uintptr_t metadata) {
    return gp_word_at(metadata);
}

// True when `metadata` may be read as metadata: in an image or in a slab of the runtime's metadata allocator.
bool gp_metadata_is_readable(uintptr_t metadata);

// True when the heap block that contains `metadata` is one from which the runtime allocates metadata.
bool gp_metadata_is_in_slab(uintptr_t metadata);

// Set where the live table knows no blocks, because only samples are recorded: gp_metadata_is_in_slab then asks the kernel
// for the bytes (a system call) and decides by them.
extern __attribute__((visibility("hidden"))) bool gp_metadata_without_blocks;

// The structural test of class metadata that can be read: false for everything that is not.
bool gp_metadata_is_class(uintptr_t metadata);

// The nominal type descriptor of class, struct, enum or optional metadata, 0: another kind.
uintptr_t gp_metadata_descriptor(uintptr_t metadata);

// The vector of generic arguments (metadata pointers first), 0: not generic.
uintptr_t gp_metadata_arguments(uintptr_t metadata);
