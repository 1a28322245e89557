// Recognising Swift objects by their first word, and naming types, by parsing metadata alone: no call into the Swift
// runtime, no lock, no allocation. Works in malloc, in static and stripped programs, and where no runtime is loaded.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "slow_path.h"
#include "thread.h"

#define GP_TYPE_CACHE 256

typedef struct {
    uintptr_t word;
    uint32_t id;  // 0: not a Swift object
    uint32_t size;  // the least size of a block of this type
} gp_type_cache_line;

typedef struct {
    gp_type_cache_line lines[GP_TYPE_CACHE];
} gp_type_cache;

_Static_assert(sizeof(gp_type_cache) <= GP_THREAD_TYPE_BYTES, "a thread's state has room for this");

// The type cache of a thread.
static inline gp_type_cache *gp_thread_types(gp_thread *thread) {
    return (gp_type_cache *)thread->types;
}

// The line of a thread's cache in which `word` stands, if it does.
static inline gp_type_cache_line *gp_type_cache_line_of(gp_type_cache *cache, uintptr_t word) {
    return &cache->lines[((word >> 3) ^ (word >> 11)) % GP_TYPE_CACHE];
}

// The type id (GP_TYPE record) of a block whose first word is `word`, 0: not a Swift object. `size`: of the block.
// At the first sight of a type writes GP_TYPE and GP_TYPE_NAME (with a NULL thread: finds only types already seen).
GP_SLOW_PATH uint32_t gp_type_id_slow(struct gp_thread *thread, uintptr_t word, size_t size);

// The same, by `cache` of that thread first: ~2 ns when cached.
static inline uint32_t gp_type_id_cached(struct gp_thread *thread, gp_type_cache *cache, uintptr_t word, size_t size) {
    if ((word & 7) != 0 || word < 65536 || word >> GP_USER_BITS != 0)
        return 0;
    gp_type_cache_line *line = gp_type_cache_line_of(cache, word);
    if (line->word == word)
        return size >= line->size ? line->id : 0;
    return gp_type_id_slow(thread, word, size);
}

// The same for callers that do not know the thread's cache. `thread` may be NULL.
uint32_t gp_type_id(struct gp_thread *thread, uintptr_t word, size_t size);

// The highest type id so far, 0: there is none.
uint32_t gp_type_last_id(void);

// Writes the records of the types above `id` once more: a frozen copy that did not come to its end has taken them along, or
// another recording has begun.
void gp_types_write_again(struct gp_thread *thread, uint32_t id);

// In a child made by fork: the numbers of types are the parent's, and begin anew. Caches of threads must be empty.
void gp_types_begin_in_child(void);

// What kind of heap object a first word names: GP_TYPE_* of TraceFormat.h, or −1: none. Uncached.
int gp_type_kind(uintptr_t word, size_t size);

// The metadata address of a type id.
uintptr_t gp_type_metadata(uint32_t id);

// Writes the name of any metadata ("Game.Box<Game.Card>", "Swift.Optional<Swift.Int>") into `buffer`, always
// NUL-terminated, and returns its length. Private and local contexts are left out of the name.
size_t gp_type_name_of(uintptr_t metadata, char *buffer, size_t capacity);

// The stored property of a class in which the byte at `offset` of an instance lies; NULL: not known.
const char *gp_field_name(uintptr_t metadata, uint32_t offset);

// A choice of types by their names, and who belongs to it.

enum { GP_CHOICE_NAMES = 1024, GP_CHOICE_VERDICTS = 4096 };

typedef struct {
    char names[GP_CHOICE_NAMES];  // "Board|Other.Card", empty: none
    uint8_t verdicts[GP_CHOICE_VERDICTS];  // by type id. 0: not asked yet, 1: no, 2: yes
} gp_type_choice;

// Takes `length` bytes as the names; what is too long is cut.
void gp_choose_types(gp_type_choice *choice, const char *names, size_t length);

// Whether the type (of a GP_TYPE record, not 0) is one of the choice: a generic class with any arguments.
bool gp_type_is_chosen(gp_type_choice *choice, uint32_t type);

// Whether the Swift runtime of this process is laid out as the recorder expects.

// Looks at types of the standard library whose shape is known. NULL: they are as expected, or there is no Swift runtime
// whose symbols can be seen (none, or linked statically). Otherwise one sentence (static memory). Reads metadata only; call
// gp_images_refresh before.
const char *gp_runtime_self_check(void);

// The same for reference counts, weak references and heap metadata, by an object that the runtime makes for it: it
// allocates, so nothing may be recorded meanwhile by this thread. A few hundred nanoseconds.
const char *gp_runtime_object_check(void);
