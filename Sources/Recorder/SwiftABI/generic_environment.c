// Generic parameters and the arguments that stand for them.
#include "context_descriptor.h"
#include "type_layout.h"
#include "mangled_name.h"
#include "metadata.h"

enum { MOST_ARGUMENTS = 32, KIND = 0x3f };

const gp_generic_environment *gp_bind_types(gp_bound_environment *bound, const gp_swift_type *type) {
    bound->environment = (gp_generic_environment){
        .arguments = type->children,
        .count = type->count,
        .depths = bound->depths,
        .depth_count = gp_context_parameter_depths(type->address, bound->depths),
    };
    return &bound->environment;
}

static const gp_swift_type *argument_of_kind(uint8_t kind, uintptr_t argument) {
    enum { TYPE = 0, VALUE = 2 };
    return kind == TYPE && argument != 0              ? gp_type_of_metadata(argument)
           : kind == VALUE && (intptr_t)argument >= 0 ? gp_type_of_integer(argument)
                                                      : NULL;
}

const gp_generic_environment *gp_bind_metadata(gp_bound_environment *bound, uintptr_t metadata) {
    uintptr_t descriptor = gp_metadata_descriptor(metadata), vector = gp_metadata_arguments(metadata);
    gp_generic_signature signature;
    bound->environment = (gp_generic_environment){.arguments = bound->arguments, .depths = bound->depths};
    if (vector == 0 || !gp_context_signature(descriptor, &signature) || signature.parameters > MOST_ARGUMENTS)
        return &bound->environment;
    const uint8_t *kinds = (const uint8_t *)signature.kinds;
    unsigned slot = signature.lengths;
    for (unsigned i = 0; i < signature.parameters; i++) {
        bool keyed = (kinds[i] & 0x80) != 0;
        uintptr_t argument = keyed ? gp_word_at(vector + 8 * slot) : 0;
        bound->arguments[i] = argument_of_kind(kinds[i] & KIND, argument);
        slot += keyed;
    }
    bound->environment.count = signature.parameters;
    bound->environment.depth_count = gp_context_parameter_depths(descriptor, bound->depths);
    return &bound->environment;
}
