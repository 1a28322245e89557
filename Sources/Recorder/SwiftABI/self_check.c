// The runtime's layout, tried on types that every Swift program has.

#include "TraceFormat.h"
#include "context_descriptor.h"
#include "walk.h"
#include "type_layout.h"
#include "metadata.h"
#include "swift_types.h"

// Metadata of classes and values of the standard library, and its empty dictionary. Resolved by the loader when the
// library is loaded: no look-up at the time of use.
extern const char string_storage_metadata[] __asm__("$ss15__StringStorageCN") __attribute__((weak));
extern const char int_metadata[] __asm__("$sSiN") __attribute__((weak));
extern const char string_metadata[] __asm__("$sSSN") __attribute__((weak));
extern const char bool_metadata[] __asm__("$sSbN") __attribute__((weak));

extern const char dictionary_storage_metadata[] __asm__("$ss22__RawDictionaryStorageCN") __attribute__((weak));
extern const char set_storage_metadata[] __asm__("$ss15__RawSetStorageCN") __attribute__((weak));
extern const char empty_dictionary[] __asm__("_swiftEmptyDictionarySingleton") __attribute__((weak));

enum { STORAGE_HEADER = 32, DICTIONARY_BITMAP = 64 };

static bool is_named(const char *metadata, const char *expected) {
    char name[64];
    gp_type_name_of((uintptr_t)metadata, name, sizeof name);
    return strcmp(name, expected) == 0;
}

static bool has_size(const char *metadata, uint32_t size, uint32_t parsed_alignment) {
    gp_value_witnesses witnesses;
    const gp_layout *layout = gp_layout_of_metadata((uintptr_t)metadata);
    return gp_value_witnesses_of((uintptr_t)metadata, &witnesses) && witnesses.size == size && layout != NULL &&
           layout->sized && layout->size == size && layout->alignment == parsed_alignment;
}

// Whether the class has its field `name` at `offset`, by its own field records.
static bool has_field(const char *metadata, const char *name, uint32_t offset) {
    uintptr_t descriptor = gp_word_at((uintptr_t)metadata + GP_CLASS_DESCRIPTOR);
    uintptr_t vector = gp_class_field_offsets(descriptor);
    gp_field field;
    for (uint32_t i = 0; vector != 0 && gp_field_at(descriptor, i, &field); i++)
        if (strcmp(field.name, name) == 0)
            return gp_word_at((uintptr_t)metadata + vector + 8 * (uintptr_t)i) == offset;
    return false;
}

static bool is_class(const char *metadata) {
    return gp_type_kind((uintptr_t)metadata, SIZE_MAX) == GP_TYPE_CLASS;
}

// Where the decoders of collections look, and what they see in a dictionary without a key.
static bool collections_are_as_expected(void) {
    gp_hash_table table;
    return is_class(dictionary_storage_metadata) && is_class(set_storage_metadata) &&
           has_field(dictionary_storage_metadata, "_scale", 32) &&
           has_field(dictionary_storage_metadata, "_rawKeys", 48) &&
           has_field(dictionary_storage_metadata, "_rawValues", 56) && has_field(set_storage_metadata, "_scale", 32) &&
           has_field(set_storage_metadata, "_rawElements", 48) &&
           gp_hash_table_of((uintptr_t)empty_dictionary, DICTIONARY_BITMAP + 8, DICTIONARY_BITMAP, &table) &&
           table.buckets == 1 && !gp_hash_table_has(&table, 0);
}

const char *gp_runtime_self_check(void) {
    if (string_storage_metadata == NULL || int_metadata == NULL || string_metadata == NULL || bool_metadata == NULL)
        return NULL;
    uintptr_t storage = (uintptr_t)string_storage_metadata;
    if (gp_type_kind(storage, STORAGE_HEADER) != GP_TYPE_CLASS ||
        gp_u32_at(storage + GP_CLASS_INSTANCE_SIZE) != STORAGE_HEADER)
        return "The class metadata of this Swift runtime is laid out differently from Swift 6.3.";
    if (!is_named(string_storage_metadata, "Swift.__StringStorage") || !is_named(int_metadata, "Swift.Int"))
        return "The type descriptors of this Swift runtime are laid out differently from Swift 6.3.";
    if (!has_size(int_metadata, 8, 8) || !has_size(string_metadata, 16, 8) || !has_size(bool_metadata, 1, 1))
        return "The values of this Swift runtime are laid out differently from Swift 6.3.";
    if (dictionary_storage_metadata != NULL && set_storage_metadata != NULL && empty_dictionary != NULL &&
        !collections_are_as_expected())
        return "The collections of this Swift runtime are laid out differently from Swift 6.3.";
    return NULL;
}
