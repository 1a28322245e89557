// Structures: stored properties one behind the other, each at its alignment.
#include "context_descriptor.h"
#include "type_layout.h"
#include "mangled_name.h"

gp_layout gp_struct_layout(uintptr_t descriptor, const gp_generic_environment *environment, unsigned depth) {
    const char *module = gp_context_module(descriptor);
    uint32_t count = gp_field_count(descriptor);
    // A raw layout (Synchronization's cells and atomics) and a C structure have no fields to read.
    if (module == NULL || gp_u32_at(descriptor + 20) != count ||
        (count == 0 && strcmp(module, "Synchronization") == 0) || strncmp(module, "__C", 3) == 0)
        return gp_unknown_layout();
    // The insides of the standard library's types have no names that a user knows.
    bool named = strcmp(module, "Swift") != 0;
    gp_layout layout = gp_plain_layout(0, 1);
    for (uint32_t i = 0; i < count && layout.sized; i++) {
        gp_field field;
        if (!gp_field_at(descriptor, i, &field) || field.type_name == 0)
            return gp_unknown_layout();
        gp_layout part = gp_layout_of_type(gp_type_of_mangled_name(field.type_name, environment), depth + 1);
        gp_layout_append(&layout, &part, named ? gp_source_name(field.name, false) : NULL,
                         named && gp_field_is_parameter(descriptor, &field));
    }
    return layout;
}
