// Names of types, as Swift prints them with module, from metadata alone.
#include "swift_types.h"

#include <string.h>

#include "context_descriptor.h"
#include "existential.h"
#include "images.h"
#include "live_table.h"
#include "metadata.h"
#include "safe_read.h"
#include "text.h"

enum { NAME_DEPTH = 12, MOST_PACKED = 16, MOST_METADATA_BYTES = 65536 };

static void append_metadata(gp_text *text, uintptr_t metadata, unsigned depth);

// Copies words out of an image or a block.
static bool read_words(uintptr_t address, uintptr_t *words, size_t count) {
    const size_t bytes = count * sizeof *words;
    if (gp_metadata_without_blocks && !gp_address_is_readable_image(address, bytes))
        return gp_safe_read(address, words, bytes);
    gp_block block;
    if (!gp_address_is_readable_image(address, bytes) &&
        (!gp_live_get_before(address, MOST_METADATA_BYTES, &block) || bytes > block.size ||
         address - block.address > block.size - bytes))
        return false;
    memcpy(words, (const void *)address, bytes);
    return true;
}

// The types of a pack, one after the other; the lowest bit of its address says whether it lies on the heap.
static void append_pack(gp_text *text, uintptr_t arguments, unsigned slot, int length_slot, unsigned depth) {
    uintptr_t types = gp_word_at(arguments + 8 * slot) & ~(uintptr_t)1;
    uintptr_t count = length_slot < 0 ? 0 : gp_word_at(arguments + 8 * (uintptr_t)length_slot);
    uintptr_t packed[MOST_PACKED];
    if (length_slot < 0 || count > MOST_PACKED || (count > 0 && !read_words(types, packed, count))) {
        gp_text_append(text, "_");
        return;
    }
    for (uintptr_t i = 0; i < count; i++) {
        gp_text_append(text, i == 0 ? "" : ", ");
        append_metadata(text, packed[i], depth + 1);
    }
}

// Whether one of the parameters from `first` to before `end` has an argument: an extension that fixes parameters
// (`extension Wrap where T == Int`) gives the types in it none for them.
static bool has_argument(const gp_generic_signature *signature, unsigned first, unsigned end) {
    const uint8_t *kinds = (const uint8_t *)signature->kinds;
    for (unsigned i = first; i < end; i++)
        if ((kinds[i] & 0x80) != 0)
            return true;
    return false;
}

// Arguments of the parameters from `first` to before `end`. The vector holds only those of parameters that have one.
static void append_arguments(gp_text *text, const gp_generic_signature *signature, uintptr_t arguments, unsigned first,
                             unsigned end, unsigned depth) {
    const uint8_t *kinds = (const uint8_t *)signature->kinds;
    unsigned slot = signature->lengths;
    for (unsigned i = 0; i < end; i++) {
        bool keyed = (kinds[i] & 0x80) != 0;
        if (i >= first) {
            gp_text_append(text, i == first ? "<" : ", ");
            if (!keyed)
                gp_text_append(text, "_");
            else if ((kinds[i] & 0x3f) == 1)
                append_pack(text, arguments, slot, gp_pack_length_slot(signature, slot), depth);
            else if ((kinds[i] & 0x3f) == 2)
                gp_text_append_number(text, (long long)gp_word_at(arguments + 8 * slot));
            else
                append_metadata(text, gp_word_at(arguments + 8 * slot), depth + 1);
        }
        slot += keyed;
    }
    gp_text_append(text, ">");
}

// `arguments` are laid out as the signature of `descriptor` says, not as those of the types around it.
static void append_context(gp_text *text, uintptr_t descriptor, uintptr_t arguments, unsigned depth) {
    gp_generic_signature signature;
    const bool is_generic =
        arguments != 0 && gp_context_is_type(descriptor) && gp_context_signature(descriptor, &signature);
    uintptr_t chain[GP_CONTEXT_DEPTH];
    unsigned count = 0;
    while (descriptor != 0 && count < GP_CONTEXT_DEPTH) {
        if (gp_context_kind(descriptor) == GP_CONTEXT_EXTENSION) {
            uintptr_t extended = gp_extended_type(descriptor);
            if (extended != 0)
                descriptor = extended;
        }
        chain[count++] = descriptor;
        descriptor = gp_context_parent(descriptor);
    }
    unsigned parameters = 0;
    bool first = true;
    while (count > 0) {
        uintptr_t context = chain[--count];
        const char *name = gp_context_name(context);
        if (name == NULL)
            continue;
        if (!first)
            gp_text_append(text, ".");
        first = false;
        gp_text_append_name(text, name, strlen(name));
        gp_generic_signature own;
        if (is_generic && gp_context_is_type(context) && gp_context_signature(context, &own) &&
            own.parameters > parameters && own.parameters <= signature.parameters) {
            if (has_argument(&signature, parameters, own.parameters))
                append_arguments(text, &signature, arguments, parameters, own.parameters, depth);
            parameters = own.parameters;
        }
    }
}

static void append_tuple(gp_text *text, uintptr_t metadata, unsigned depth) {
    uintptr_t count = gp_word_at(metadata + 8);
    const char *labels = (const char *)gp_word_at(metadata + 16);
    gp_text_append(text, "(");
    for (uintptr_t i = 0; i < count && i < 64; i++) {
        gp_text_append(text, i == 0 ? "" : ", ");
        if (labels != NULL && *labels != '\0') {
            size_t length = strcspn(labels, " ");
            if (length > 0) {
                gp_text_append_name(text, labels, length);
                gp_text_append(text, ": ");
            }
            labels += length + (labels[length] == ' ');
        }
        append_metadata(text, gp_word_at(metadata + 24 + 16 * i), depth + 1);
    }
    gp_text_append(text, ")");
}

static void append_function(gp_text *text, uintptr_t metadata, unsigned depth) {
    enum { THROWS = 1u << 24, ASYNC = 1u << 29 };
    uintptr_t flags = gp_word_at(metadata + 8);
    unsigned convention = (flags >> 16) & 0xff, parameters = flags & 0xffff;
    gp_text_append(text, convention == 1 ? "@convention(block) " : convention == 3 ? "@convention(c) " : "");
    gp_text_append(text, "(");
    for (unsigned i = 0; i < parameters && i < 64; i++) {
        gp_text_append(text, i == 0 ? "" : ", ");
        append_metadata(text, gp_word_at(metadata + 24 + 8 * i), depth + 1);
    }
    gp_text_append(text, ")");
    gp_text_append(text, (flags & ASYNC) != 0 ? " async" : "");
    gp_text_append(text, (flags & THROWS) != 0 ? " throws" : "");
    gp_text_append(text, " -> ");
    append_metadata(text, gp_word_at(metadata + 16), depth + 1);
}

static void append_existential(gp_text *text, uintptr_t metadata, unsigned depth) {
    enum { NOT_CLASS = 1u << 31, HAS_SUPERCLASS = 1u << 30 };
    uint32_t flags = gp_u32_at(metadata + 8), count = gp_u32_at(metadata + 12);
    uintptr_t next = metadata + 16;
    unsigned printed = 0;
    if ((flags & HAS_SUPERCLASS) != 0) {
        append_metadata(text, gp_word_at(next), depth + 1);
        next += 8;
        printed++;
    }
    for (uint32_t i = 0; i < count && i < 16; i++) {
        gp_text_append(text, printed++ == 0 ? "" : " & ");
        append_context(text, gp_word_at(next + 8 * i) & ~(uintptr_t)1, 0, depth);
    }
    if (printed == 0)
        gp_text_append(text, (flags & NOT_CLASS) != 0 ? "Any" : "Swift.AnyObject");
}

// `any P<T>`: the protocols, and of a single one its arguments.
static void append_extended_existential(gp_text *text, uintptr_t metadata, unsigned depth) {
    enum { ARGUMENTS = 16, MOST_ARGUMENTS = 16 };
    gp_existential_shape shape;
    if (!gp_existential_shape_at(gp_word_at(metadata + 8), &shape)) {
        gp_text_append(text, "_");
        return;
    }
    unsigned printed = 0;
    for (uint32_t i = 0; i < shape.count; i++) {
        uintptr_t protocol = gp_existential_protocol(&shape, i);
        if (protocol != 0) {
            gp_text_append(text, printed++ == 0 ? "" : " & ");
            append_context(text, protocol, 0, depth);
        }
    }
    for (uint32_t i = 0; printed == 1 && i < shape.arguments && i < MOST_ARGUMENTS; i++) {
        gp_text_append(text, i == 0 ? "<" : ", ");
        append_metadata(text, gp_word_at(metadata + ARGUMENTS + 8 * i), depth + 1);
        gp_text_append(text, i + 1 == shape.arguments ? ">" : "");
    }
}

static void append_metadata(gp_text *text, uintptr_t metadata, unsigned depth) {
    if (depth > NAME_DEPTH || !gp_metadata_is_readable(metadata)) {
        gp_text_append(text, "_");
        return;
    }
    uintptr_t kind = gp_metadata_kind(metadata);
    uintptr_t descriptor = gp_metadata_descriptor(metadata);
    switch (kind) {
    case GP_KIND_TUPLE:
        append_tuple(text, metadata, depth);
        break;
    case GP_KIND_FUNCTION:
        append_function(text, metadata, depth);
        break;
    case GP_KIND_EXISTENTIAL:
        append_existential(text, metadata, depth);
        break;
    case GP_KIND_EXTENDED_EXISTENTIAL:
        append_extended_existential(text, metadata, depth);
        break;
    case GP_KIND_METATYPE:
    case GP_KIND_EXISTENTIAL_METATYPE:
        append_metadata(text, gp_word_at(metadata + 8), depth + 1);
        gp_text_append(text, ".Type");
        break;
    case GP_KIND_GENERIC_BOX:
        append_metadata(text, gp_word_at(metadata + 16), depth + 1);
        break;
    case GP_KIND_ERROR:
        gp_text_append(text, "Swift.Error");
        break;
    case GP_KIND_TASK:
        gp_text_append(text, "Swift.Task");
        break;
    case GP_KIND_JOB:
        gp_text_append(text, "Swift.Job");
        break;
    default:
        if (descriptor != 0 && gp_address_is_readable_image(descriptor, 20))
            append_context(text, descriptor, gp_metadata_arguments(metadata), depth);
    }
}

size_t gp_type_name_of(uintptr_t metadata, char *buffer, size_t capacity) {
    gp_text text = gp_text_in(buffer, capacity);
    append_metadata(&text, metadata, 0);
    return text.length;
}
