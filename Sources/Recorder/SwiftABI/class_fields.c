// Stored properties of class instances, inherited ones included.
#include "TraceFormat.h"
#include "arena.h"
#include "context_descriptor.h"
#include "key_table.h"
#include "type_layout.h"
#include "live_table.h"
#include "mangled_name.h"
#include "metadata.h"
#include "walk.h"

enum { SUPERCLASSES = 64, MOST_FIELDS = 1024 };

// Reports what a storage class of the standard library's collections holds.
typedef void (*storage_walk)(gp_walk *walk, uintptr_t metadata);

// What instances of one class hold, worked out once.
typedef struct class_part {
    uintptr_t metadata;  // of the class that declares these
    const gp_step *steps;
    struct class_part *next;
} class_part;

typedef struct {
    const class_part *parts;  // the object's own class first
    uintptr_t elements;  // type of what lies behind the instance, 0: nothing that is known
    uint32_t instance_size;
    storage_walk storage;  // NULL: it is no such class
} class_program;

static bool is_observable(uintptr_t descriptor, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        gp_field field;
        if (gp_field_at(descriptor, i, &field) && strcmp(field.name, "_$observationRegistrar") == 0)
            return true;
    }
    return false;
}

static const gp_step *unknown_extent(uint32_t start, uint32_t end, const char *label) {
    return end <= start ? NULL : gp_part(gp_opaque_layout(end - start, 1).steps, start, label, false);
}

// The offset at which the field behind field `index` begins, `end` for the last.
static uint32_t end_of_field(uintptr_t offsets, uint32_t index, uint32_t count, uint32_t end) {
    uint32_t offset = (uint32_t)gp_word_at(offsets + 8 * (uintptr_t)index);
    for (uint32_t i = index + 1; i < count; i++) {
        uint32_t later = (uint32_t)gp_word_at(offsets + 8 * (uintptr_t)i);
        if (later > offset)
            return later;
    }
    return end;
}

// The fields of one class of the chain. `end`: where the next subclass's fields begin, or the end of the instance.
static const gp_step *fields_of(uintptr_t metadata, uint32_t start, uint32_t end) {
    uintptr_t descriptor = gp_word_at(metadata + GP_CLASS_DESCRIPTOR);
    uintptr_t vector = gp_class_field_offsets(descriptor);
    uint32_t count = gp_field_count(descriptor), declared = gp_u32_at(descriptor + GP_CLASS_FIELD_COUNT);
    if (declared == 0)
        return NULL;
    if (vector == 0 || count != declared || count > MOST_FIELDS)
        return unknown_extent(start, end, NULL);
    gp_bound_environment bound;
    const gp_generic_environment *environment = gp_bind_metadata(&bound, metadata);
    bool observable = is_observable(descriptor, count);
    const gp_step *steps = NULL;
    uint32_t expected = 0;
    bool expecting = false;
    for (uint32_t i = 0; i < count; i++) {
        gp_field field;
        uint32_t offset = (uint32_t)gp_word_at(metadata + vector + 8 * (uintptr_t)i);
        uint32_t next = end_of_field(metadata + vector, i, count, end);
        if (!gp_field_at(descriptor, i, &field))
            return unknown_extent(start, end, NULL);
        const char *name = gp_source_name(field.name, observable);
        gp_layout layout = field.type_name == 0
                               ? gp_unknown_layout()
                               : gp_layout_of_type(gp_type_of_mangled_name(field.type_name, environment), 0);
        if (layout.sized && layout.size == 0)
            continue;  // an empty value may have any offset
        if (offset < GP_OBJECT_HEADER || offset > end)
            return unknown_extent(start, end, NULL);
        // offset = the end of the field before, aligned, and the last field ends where the instance ends: a size that
        // parsing got wrong shows here.
        bool fits = layout.sized && offset % layout.alignment == 0 && layout.size <= next - offset &&
                    (!expecting || offset == gp_align_up(expected, layout.alignment)) &&
                    (next != end || offset + layout.size == end);
        const gp_step *part = fits ? gp_part(layout.steps, offset, name, gp_field_is_parameter(descriptor, &field))
                                   : unknown_extent(offset, next, name);
        if (part != NULL)
            ((gp_step *)part)->constant = field.constant;
        steps = gp_steps_append(steps, part);
        expecting = fits;
        expected = offset + layout.size;
    }
    return steps;
}

static storage_walk storage_of(uintptr_t descriptor) {
    const char *name = gp_context_name(descriptor), *module = gp_context_module(descriptor);
    if (name == NULL || module == NULL || name[0] != '_' || strcmp(module, "Swift") != 0)
        return NULL;
    return strcmp(name, "_ContiguousArrayStorage") == 0 ? gp_walk_array_storage
           : strcmp(name, "_DictionaryStorage") == 0    ? gp_walk_dictionary_storage
           : strcmp(name, "_SetStorage") == 0           ? gp_walk_set_storage
           : strcmp(name, "__StringStorage") == 0       ? gp_walk_string_storage
                                                        : NULL;
}

bool gp_storage_room_of(uintptr_t object, size_t size, gp_storage_room *room) {
    const uintptr_t metadata = gp_word_at(object);
    const storage_walk walk = gp_metadata_is_readable(metadata) && gp_metadata_is_class(metadata)
                                  ? storage_of(gp_word_at(metadata + GP_CLASS_DESCRIPTOR))
                                  : NULL;
    if (walk == gp_walk_array_storage)
        return gp_array_room(object, size, metadata, room);
    return (walk == gp_walk_dictionary_storage || walk == gp_walk_set_storage) && gp_hashed_room(object, size, room);
}

static const void *make_program(uintptr_t metadata) {
    class_program *program = gp_arena_allocate(sizeof *program);
    if (program == NULL)
        return NULL;
    program->instance_size = gp_u32_at(metadata + GP_CLASS_INSTANCE_SIZE);
    program->storage = storage_of(gp_word_at(metadata + GP_CLASS_DESCRIPTOR));
    if (program->storage != NULL)
        return program;
    uint32_t end = program->instance_size;
    uintptr_t class = metadata;
    class_part **last = (class_part **)&program->parts;
    for (unsigned i = 0; i < SUPERCLASSES && class != 0; i++) {
        if (!gp_metadata_is_readable(class) || !gp_metadata_is_class(class))
            break;
        program->elements = program->elements == 0 ? gp_buffer_element_type(class) : program->elements;
        uintptr_t super = gp_word_at(class + GP_CLASS_SUPERCLASS);
        bool has_super = super != 0 && gp_metadata_is_readable(super) && gp_metadata_is_class(super);
        uint32_t start = has_super ? gp_u32_at(super + GP_CLASS_INSTANCE_SIZE) : GP_OBJECT_HEADER;
        class_part *part = gp_arena_allocate(sizeof *part);
        if (part == NULL)
            return NULL;
        part->metadata = class;
        part->steps = fields_of(class, start, end);
        if (part->steps != NULL) {
            *last = part;
            last = &part->next;
        }
        end = start;
        class = super;
    }
    return program;
}

static const class_program *program_of(uintptr_t metadata) {
    static gp_known programs[1 << 14];
    return gp_known_or_made(GP_KEY_TABLE(programs), metadata, make_program);
}

static bool has_tail(const gp_walk *walk, uint32_t instance_size) {
    gp_block block;
    size_t least = gp_least_usable(instance_size);
    return walk->size > least + 16 ||
           (walk->size > least && gp_live_get(walk->object, &block) && block.size >= instance_size + sizeof(uintptr_t));
}

void gp_walk_class(gp_walk *walk, uintptr_t metadata) {
    const class_program *program = program_of(metadata);
    if (program == NULL) {
        gp_walk_unknown(walk, walk->object + GP_OBJECT_HEADER, walk->object + walk->size);
        return;
    }
    if (program->storage != NULL) {
        program->storage(walk, metadata);
        return;
    }
    walk->label_kind = GP_LABEL_FIELD;
    for (const class_part *part = program->parts; part != NULL; part = part->next) {
        walk->declared_type = part->metadata == metadata ? 0 : part->metadata;
        gp_walk_steps(walk, part->steps, walk->object);
    }
    walk->declared_type = 0;
    walk->constant = false;
    if (program->elements != 0) {
        gp_walk_buffer_elements(walk, program->elements, program->instance_size);
    } else if (has_tail(walk, program->instance_size)) {
        walk->label_kind = GP_LABEL_ELEMENT;
        gp_walk_unknown(walk, walk->object + program->instance_size, walk->object + walk->size);
    }
}

bool gp_class_is_key_path(uintptr_t metadata) {
    for (unsigned i = 0; i < SUPERCLASSES; i++) {
        const uintptr_t super = gp_word_at(metadata + GP_CLASS_SUPERCLASS);
        if (super == 0 || !gp_metadata_is_readable(super) || !gp_metadata_is_class(super))
            break;
        metadata = super;
    }
    return gp_context_is(gp_word_at(metadata + GP_CLASS_DESCRIPTOR), "Swift", "AnyKeyPath");
}

gp_reference_plan gp_class_plan(uintptr_t metadata) {
    const class_program *program = program_of(metadata);
    gp_reference_plan plan = {.fixed = program != NULL && program->storage == NULL};
    for (const class_part *part = plan.fixed ? program->parts : NULL; part != NULL; part = part->next)
        gp_plan_add(&plan, part->steps, 0);
    return plan;
}
