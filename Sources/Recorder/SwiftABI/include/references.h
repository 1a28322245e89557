// The references that a Swift object holds: where they stand, what they own, how they are called. One file under
// runtime/ decodes one runtime structure; ownership.c alone knows what a stored reference owns.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "arch.h"

// The bits of a stored reference that are an address: Swift keeps tags in the others.
#define GP_ADDRESS_BITS (~(uintptr_t)GP_OBJECT_SPARE_BITS)

// The bits of a user's address. Lock-free lists in C and C++ keep a counter of 16 bits above it.
#define GP_USER_ADDRESS_BITS (((uintptr_t)1 << GP_USER_BITS) - 1)

typedef struct {
    uintptr_t target;  // the word with Swift's tag bits, biases and side tables taken off: address of a block, or 0
    uint32_t offset;  // of the word in the object
    uint8_t ownership;  // GP_OWN_*
    uint8_t label_kind;  // GP_LABEL_*
    uint32_t position;
    uintptr_t function;  // code of the closure whose context this is, else 0
    uintptr_t declared_type;  // metadata of the superclass that declares the field, 0: the object's own class
    bool constant;  // a property declared with `let`
    bool not_weak;  // the property, or what it lies in, cannot be declared weak
    const char *label;  // valid during the call; NULL unless labels were asked for
} gp_reference;

typedef enum {
    GP_DECODE_SHAPE,  // offsets and ownership, by parsing alone: no runtime call. For marking and counting.
    GP_DECODE_LABELS,  // with labels; may call the Swift runtime. Only in the frozen child, after marking.
} gp_decode_mode;

typedef enum {
    GP_DECODED_ALL,  // every reference the object holds was reported: counts may be compared with edges
    GP_DECODED_PART,  // what was reported is right, but other words may be references too
    GP_DECODED_NONE,  // nothing is known about the inside
} gp_decoded;

typedef void (*gp_reference_visitor)(const gp_reference *reference, void *context);

// Reports the references of the object at `object` to `visit`. `size`: usable; `kind`: as gp_type_kind has it for its first
// word and this size.
gp_decoded gp_references(uintptr_t object, size_t size, int kind, gp_decode_mode mode, gp_reference_visitor visit,
                         void *context);

// The references of every instance of a type, when they are known without a look at the instance: for marking, which
// has no time to follow a layout for each object.
typedef struct {
    bool fixed;  // no word is weak or unowned, and no strong one lies elsewhere than `strong` says
    uint64_t strong;  // bit i: the word at offset 8 i may be a strong reference
} gp_reference_plan;

// The plan of objects whose first word is `metadata`, of kind GP_TYPE_*. Worked out at each call: keep it.
gp_reference_plan gp_plan_of(uintptr_t metadata, int kind);

// Whether a class is a key path's: these have more behind the instance, and do not grow into the rest of their block.
bool gp_class_is_key_path(uintptr_t metadata);

typedef struct {
    uint32_t strong, unowned, weak;
    bool has_side_table, deiniting, immortal;
} gp_reference_counts;

// Decodes the reference count word of a Swift object. A side table that is no known block is not looked at: then
// `immortal` is set beside `has_side_table`.
gp_reference_counts gp_reference_counts_of(uintptr_t object);

// The side table that the count word of the Swift object at `object` names, 0: none.
static inline uintptr_t gp_side_table_of(uintptr_t object) {
    const uintptr_t counts = *(const uintptr_t *)(object + 8);
    return counts >> 62 == 3 && (uint32_t)counts != UINT32_MAX ? counts << 3 & GP_USER_ADDRESS_BITS : 0;
}

// What a side table says. `table`: of an object that lives.
gp_reference_counts gp_side_table_counts(uintptr_t table);

// Room of a collection of the standard library: `unused` of the `places` in [start, end) may be filled without another
// allocation. Elements of hash tables lie anywhere in it.
typedef struct {
    uintptr_t start, end;
    uint64_t unused, places;
} gp_storage_room;

// Of the class instance at `object`. False: it is no array's, dictionary's or set's, or not consistent. Only in the frozen
// child.
bool gp_storage_room_of(uintptr_t object, size_t size, gp_storage_room *room);

enum { GP_SIDE_TABLE_BYTES = 32 };

// The object that a weak reference's word names through its side table, 0: none.
uintptr_t gp_weak_target(uintptr_t word);

// Writes these strong and unowned counts into the object itself; it had a side table or none.
void gp_object_counts_fill(uintptr_t object, gp_reference_counts counts);

// Makes `table` the side table of an object with these counts.
void gp_side_table_fill(uintptr_t table, uintptr_t object, gp_reference_counts counts);

// Takes Swift's tag bits off a word that may be a reference: calls `visit` with each address that the word may mean
// besides itself (BridgeObject and enum spare bits, native strings' bias, side table of a refcount word, a counter of 16 bits).
// Returns how many were stored in `candidates` (room for 4).
unsigned gp_untag(uintptr_t word, uintptr_t candidates[4]);
