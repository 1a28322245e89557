// Keys of a dictionary as text.
#include "key_label.h"

#include "context_descriptor.h"
#include "images.h"
#include "live_table.h"
#include "metadata.h"

enum { STRING_BIAS = 32, MOST_BYTES = 64 };

static void append_string(gp_text *text, uintptr_t address) {
    uint64_t low = gp_word_at(address), high = gp_word_at(address + 8);
    unsigned discriminator = (unsigned)(high >> 56);
    if ((discriminator & 0xa0) == 0xa0) {  // small: 15 bytes in place, the count in the highest nibble's neighbour
        gp_text_append_bytes(text, (const char *)address, discriminator & 15);
        return;
    }
    uint64_t count = low & 0x0000ffffffffffff;
    uintptr_t bytes = (high & 0x00ffffffffffffff) + STRING_BIAS;
    gp_block block;
    bool native = gp_live_get(bytes - STRING_BIAS, &block) && count + STRING_BIAS <= block.size;
    if ((discriminator & 0x10) == 0 && (native || gp_address_is_readable_image(bytes, count))) {
        gp_text_append_bytes(text, (const char *)bytes, count < MOST_BYTES ? count : MOST_BYTES);
    }
}

void gp_append_key(gp_text *text, uintptr_t metadata, uintptr_t address) {
    uintptr_t descriptor = gp_metadata_is_readable(metadata) ? gp_metadata_descriptor(metadata) : 0;
    if (descriptor == 0) {
        return;
    }
    if (gp_context_is(descriptor, "Swift", "String")) {
        append_string(text, address);
    } else if (gp_context_is(descriptor, "Swift", "Int")) {
        gp_text_append_number(text, (long long)gp_word_at(address));
    }
}
