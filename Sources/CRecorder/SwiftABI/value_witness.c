// Reading value witness tables.
#include "value_witness.h"

#include "metadata.h"

enum {
    SIZE = 64,
    STRIDE = 72,
    FLAGS = 80,
    EXTRA = 84,
    IS_NOT_PLAIN = 0x10000,
    IS_NOT_INLINE = 0x20000,
    IS_INCOMPLETE = 0x400000,
};

bool gp_value_witnesses_of(uintptr_t metadata, gp_value_witnesses *witnesses) {
    if (!gp_metadata_is_readable(metadata)) {
        return false;
    }
    uintptr_t table = gp_word_at(metadata - 8);
    if (!gp_metadata_is_readable(table)) {
        return false;
    }
    uint64_t size = gp_word_at(table + SIZE), stride = gp_word_at(table + STRIDE);
    uint32_t flags = gp_u32_at(table + FLAGS);
    if ((flags & IS_INCOMPLETE) != 0 || size > stride || stride > (1u << 30) || stride == 0) {
        return false;
    }
    *witnesses = (gp_value_witnesses){
        .size = (uint32_t)size,
        .stride = (uint32_t)stride,
        .alignment = (flags & 0xff) + 1,
        .extra_inhabitants = gp_u32_at(table + EXTRA),
        .plain = (flags & IS_NOT_PLAIN) == 0,
        .inline_value = (flags & IS_NOT_INLINE) == 0,
    };
    return true;
}
