// The runtime's layout, tried on types that every Swift program has.
#include <string.h>

#include "TraceFormat.h"
#include "metadata.h"
#include "swift_types.h"

// Metadata of classes and values of the standard library. Resolved by the loader when the
// library is loaded: no look-up at the time of use.
extern const char string_storage_metadata[] __asm__("$ss15__StringStorageCN") __attribute__((weak));
extern const char int_metadata[] __asm__("$sSiN") __attribute__((weak));
extern const char string_metadata[] __asm__("$sSSN") __attribute__((weak));
extern const char bool_metadata[] __asm__("$sSbN") __attribute__((weak));

enum { STORAGE_HEADER = 32, SIZE_WITNESS = 64 };

static bool is_named(const char *metadata, const char *expected) {
    char name[64];
    gp_type_name_of((uintptr_t)metadata, name, sizeof name);
    return strcmp(name, expected) == 0;
}

// The size stands in the table of value witnesses, which the word before the metadata names.
static bool has_size(const char *metadata, uint64_t size) {
    const uintptr_t witnesses = gp_word_at((uintptr_t)metadata - sizeof(uintptr_t));
    return gp_metadata_is_readable(witnesses) && gp_word_at(witnesses + SIZE_WITNESS) == size;
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
    if (!has_size(int_metadata, 8) || !has_size(string_metadata, 16) || !has_size(bool_metadata, 1))
        return "The values of this Swift runtime are laid out differently from Swift 6.3.";
    return NULL;
}
