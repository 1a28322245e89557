// A preload library that knows every live block and prints what an object's references are taken for. Programs find
// `runtime_dump` by name; without the library it is absent and they print nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "TraceFormat.h"
#include "live_table.h"
#include "references.h"
#include "swift_types.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static size_t allocations;

static void *put(void *block, size_t size) {
    allocations++;
    if (block != NULL) {
        gp_live_put((uintptr_t)block, size, 0, 0);
    }
    return block;
}

static void take(void *block) {
    gp_block known;
    if (block != NULL) {
        gp_live_take((uintptr_t)block, &known);
    }
}

void *malloc(size_t size) {
    return put(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size) {
    return put(__libc_calloc(count, size), count * size);
}

void *realloc(void *block, size_t size) {
    take(block);
    return put(__libc_realloc(block, size), size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = put(__libc_memalign(alignment, size), size);
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return put(__libc_memalign(alignment, size), size);
}

void free(void *block) {
    take(block);
    __libc_free(block);
}

void gp_write_cell(struct gp_thread *thread, const void *cell) {
    (void)thread, (void)cell;
}

void gp_write_record(struct gp_thread *thread, void *fixed, size_t fixed_size, const void *tail, size_t tail_size) {
    (void)thread, (void)fixed, (void)fixed_size, (void)tail, (void)tail_size;
}

static const char *const ownerships[] = {"strong", "unowned", "weak", "unmanaged", "conservative"};
static const char *const kinds[] = {"none", "field", "element", "key", "value", "capture", "box", "raw", "task"};

static size_t usable(uintptr_t block) {
    return gp_live_usable_size(block);
}

static int kind_of(uintptr_t object) {
    return gp_type_kind(*(uintptr_t *)object, usable(object));
}

static void type_of(uintptr_t target, char *name, size_t capacity) {
    gp_block block;
    if (!gp_live_get(target, &block)) {
        snprintf(name, capacity, "-");
        return;
    }
    int kind = kind_of(target);
    if (kind == GP_TYPE_LOCAL || kind < 0) {
        snprintf(name, capacity, kind < 0 ? "raw" : "context");
        return;
    }
    gp_type_name_of(*(uintptr_t *)target, name, capacity);
}

static const char *completeness(gp_decoded decoded) {
    return decoded == GP_DECODED_ALL ? "all" : decoded == GP_DECODED_PART ? "part" : "none";
}

// One reference on one line, and what storage, contexts and boxes that it names hold themselves.
static void print(const gp_reference *reference, void *context) {
    char target[512], declared[512] = "", position[16] = "";
    gp_block block;
    bool deep = *(bool *)context;
    if (!gp_live_get(reference->target, &block)) {
        return;
    }
    type_of(reference->target, target, sizeof target);
    if (reference->declared_type != 0) {
        strcpy(declared, " of ");
        gp_type_name_of(reference->declared_type, declared + 4, sizeof declared - 4);
    }
    if (reference->label_kind == GP_LABEL_ELEMENT || reference->label_kind == GP_LABEL_CAPTURE) {
        snprintf(position, sizeof position, " %u", reference->position);
    }
    printf("%s  %s%s%s%s%s: %s%s%s %s\n", deep ? "  " : "", kinds[reference->label_kind], position,
           reference->label == NULL || *reference->label == '\0' ? "" : " ",
           reference->label == NULL ? "" : reference->label, declared, ownerships[reference->ownership],
           reference->function != 0 ? " closure" : "", reference->not_weak ? " not weak" : "", target);
    int kind = kind_of(reference->target);
    bool inner = kind == GP_TYPE_LOCAL || kind == GP_TYPE_GENERIC_BOX || kind == GP_TYPE_ERROR ||
                 strncmp(target, "Swift._", 7) == 0;
    if (!deep && inner && reference->ownership != GP_OWN_WEAK) {
        bool yes = true;
        printf("    %s\n", completeness(gp_references(reference->target, usable(reference->target), kind,
                                                      GP_DECODE_LABELS, print, &yes)));
    }
}

static void ignore(const gp_reference *reference, void *context) {
    (void)reference, (void)context;
}

// Marking decodes by parsing alone: a call of the runtime may make metadata, which the frozen heap's roots do not show.
static void decode_shape(uintptr_t address) {
    size_t before = allocations;
    gp_references(address, usable(address), kind_of(address), GP_DECODE_SHAPE, ignore, NULL);
    if (allocations != before) {
        printf("  the runtime was asked for the shape\n");
    }
}

// Prints the object's type, its counts and its references (and those of storage and boxes that it names).
void runtime_dump(void *object) {
    char name[512];
    uintptr_t address = (uintptr_t)object;
    decode_shape(address);
    gp_type_name_of(*(uintptr_t *)address, name, sizeof name);
    gp_reference_counts counts = gp_reference_counts_of(address);
    printf("%s", name);
    if (counts.unowned != 0 || counts.weak != 0) {
        printf(" unowned %u weak %u", counts.unowned, counts.weak);
    }
    printf("%s\n", counts.immortal ? " immortal" : "");
    bool deep = false;
    gp_decoded decoded = gp_references(address, usable(address), kind_of(address), GP_DECODE_LABELS, print, &deep);
    printf("  %s\n", completeness(decoded));
    fflush(stdout);
}

enum { LISTED = 1 << 16 };

typedef struct {
    uintptr_t object;
    char mode;
} listing;

static uintptr_t listed[LISTED];
static unsigned listed_count;

static void list_reference(const gp_reference *reference, void *context) {
    const listing *from = context;
    gp_block block;
    if (gp_live_get(reference->target, &block)) {
        const char *label = reference->label == NULL ? "" : reference->label;
        const char *key_end = strrchr(label, GP_KEY_END[0]);
        if (reference->label_kind == GP_LABEL_VALUE) {
            label = key_end == NULL ? "" : key_end + 1;
        }
        printf("R %c %lx %lx %u %s %s\n", from->mode, from->object, reference->target, reference->offset,
               ownerships[reference->ownership], *label == '\0' ? "-" : label);
        if (listed_count < LISTED) {
            listed[listed_count++] = reference->target;
        }
    }
}

// What a class that is not fixed by its type may refer to besides, as marking takes it.
static void list_words(const listing *from, size_t size) {
    for (size_t offset = 16; offset + 8 <= size; offset += 8) {
        const uintptr_t word = *(const uintptr_t *)(from->object + offset);
        uintptr_t candidates[5] = {word};
        const unsigned count = 1 + gp_untag(word, candidates + 1);
        for (unsigned i = 0; i < count; i++) {
            gp_reference reference = {
                .target = candidates[i], .offset = (uint32_t)offset, .ownership = GP_OWN_CONSERVATIVE};
            list_reference(&reference, (void *)from);
        }
    }
}

static void check_plan(uintptr_t object, int kind, const gp_reference *reference) {
    const gp_reference_plan plan = gp_plan_of(*(uintptr_t *)object, kind);
    gp_block block;
    if (!plan.fixed || !gp_live_get(reference->target, &block)) {
        return;
    }
    const unsigned word = reference->offset / 8;
    const bool planned = word < 64 && (plan.strong >> word & 1) != 0;
    if (reference->ownership == GP_OWN_STRONG
            ? !planned
            : reference->ownership == GP_OWN_WEAK || reference->ownership == GP_OWN_UNOWNED) {
        printf("P %lx %u\n", object, reference->offset);
    }
}

static void plan_reference(const gp_reference *reference, void *context) {
    const uintptr_t object = *(const uintptr_t *)context;
    check_plan(object, kind_of(object), reference);
}

static void list_object(uintptr_t object) {
    const int kind = kind_of(object);
    const size_t size = usable(object);
    if (kind < 0) {
        return;
    }
    for (gp_decode_mode mode = GP_DECODE_SHAPE; mode <= GP_DECODE_LABELS; mode++) {
        listing from = {object, mode == GP_DECODE_SHAPE ? 'S' : 'L'};
        const gp_decoded decoded = gp_references(object, size, kind, mode, list_reference, &from);
        if (decoded != GP_DECODED_ALL) {
            list_words(&from, size);
        }
        printf("D %c %lx %s\n", from.mode, object, completeness(decoded));
    }
    gp_references(object, size, kind, GP_DECODE_SHAPE, plan_reference, &object);
}

// Lists the references of an object, and of contexts, boxes and storage that it leads to: from, to, offset, ownership, label.
void runtime_list(void *object) {
    listed_count = 0;
    list_object((uintptr_t)object);
    for (unsigned i = 0; i < listed_count; i++) {
        char name[512];
        bool seen = false;
        for (unsigned j = 0; j < i && !seen; j++) {
            seen = listed[j] == listed[i];
        }
        type_of(listed[i], name, sizeof name);
        if (!seen && (kind_of(listed[i]) != GP_TYPE_CLASS || strncmp(name, "Swift._", 7) == 0)) {
            list_object(listed[i]);
        }
    }
}

void runtime_check(void) {
    const char *complaint = gp_runtime_self_check();
    complaint = complaint == NULL ? gp_runtime_object_check() : complaint;
    printf("%s\n", complaint == NULL ? "as expected" : complaint);
    fflush(stdout);
}

// Counts as a Swift object each of the words given that does: random memory must not.
unsigned runtime_kinds(const uintptr_t *words, size_t count) {
    unsigned objects = 0;
    for (size_t i = 0; i < count; i++) {
        objects += gp_type_kind(words[i], 4096) >= 0;
    }
    return objects;
}
