// Types of the standard library whose layout is fixed for ever by its binary interface.
#include "TraceFormat.h"
#include "type_layout.h"
#include "word.h"

static gp_layout integer(uint32_t size) {
    return gp_plain_layout(size, size);
}

static gp_layout string(void) {
    gp_layout layout = integer(8), object = gp_reference_layout(GP_OWN_STRONG, GP_WORD_BRIDGE);
    gp_layout_append(&layout, &object, NULL, false);
    return layout;
}

static gp_layout buffer_pointer(void) {
    gp_layout layout = gp_raw_pointer_layout(), count = integer(8);
    layout.extra.count = 0;
    gp_layout_append(&layout, &count, NULL, false);
    return layout;
}

static gp_layout twice(const gp_swift_type *type, unsigned depth) {
    gp_layout bound = gp_layout_of_type(type->children[0], depth + 1), layout = gp_plain_layout(0, 1);
    gp_layout_append(&layout, &bound, "lowerBound", false);
    gp_layout_append(&layout, &bound, "upperBound", false);
    return layout;
}

// InlineArray: its elements one behind the other, a stride apart.
static gp_layout repeated(const gp_swift_type *count, const gp_swift_type *type, unsigned depth) {
    enum { MOST = 256 };
    gp_layout element = gp_layout_of_type(type, depth + 1);
    if (count == NULL || count->kind != GP_SHAPE_INTEGER || !element.sized)
        return gp_unknown_layout();
    uint32_t stride = element.size == 0 ? 1 : (uint32_t)gp_align_up(element.size, element.alignment);
    uint64_t size = (uint64_t)stride * count->bits;
    if (size > UINT32_MAX / 2 || (element.steps != NULL && count->bits > MOST))
        return size > UINT32_MAX / 2 ? gp_unknown_layout() : gp_opaque_layout((uint32_t)size, element.alignment);
    // Unused bits and values are those of the first element.
    gp_layout layout = gp_plain_layout((uint32_t)size, element.alignment);
    layout.spares_known = element.spares_known;
    layout.address_only = element.address_only;
    if (count->bits > 0) {
        layout.extra = element.extra;
        memcpy(layout.spare, element.spare, sizeof layout.spare);
    }
    for (uint32_t i = 0; element.steps != NULL && i < count->bits; i++)
        layout.steps = gp_steps_append(layout.steps, gp_part(element.steps, i * stride, "[…]", false));
    return layout;
}

static bool one_of(const char *name, const char *const *names) {
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static bool number_layout(const char *name, gp_layout *layout) {
    static const struct {
        const char *name;
        uint32_t size;
    } numbers[] = {{"Int", 8},    {"UInt", 8},  {"Double", 8},  {"Float", 4},   {"Int64", 8},
                   {"UInt64", 8}, {"Int32", 4}, {"UInt32", 4},  {"Int16", 2},   {"UInt16", 2},
                   {"Int8", 1},   {"UInt8", 1}, {"Float16", 2}, {"Float80", 16}};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) == 0) {
            *layout = integer(numbers[i].size);
            return true;
        }
    }
    return false;
}

static bool concurrency_layout(const char *name, gp_layout *layout) {
    static const char *const owners[] = {"Task", "CheckedContinuation", "AsyncStream", "AsyncThrowingStream", NULL};
    static const char *const words[] = {"UnsafeContinuation", "TaskGroup",  "ThrowingTaskGroup",
                                        "UnsafeCurrentTask",  "UnownedJob", NULL};
    if (one_of(name, owners)) {
        *layout = gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
    } else if (one_of(name, words)) {
        *layout = gp_reference_layout(GP_OWN_CONSERVATIVE, GP_WORD_PLAIN);
        layout->extra.count = 0;
    } else if (strcmp(name, "TaskPriority") == 0) {
        *layout = integer(1);
    } else {
        return false;
    }
    return true;
}

bool gp_standard_layout(const gp_swift_type *type, unsigned depth, gp_layout *layout) {
    static const char *const storages[] = {"Array", "ContiguousArray", NULL};
    static const char *const bridged[] = {"Dictionary", "Set", NULL};
    static const char *const strings[] = {"String", "Character", NULL};
    static const char *const buffers[] = {"UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer",
                                          "UnsafeMutableRawBufferPointer", NULL};
    static const char *const ranges[] = {"Range", "ClosedRange", NULL};
    const char *name = type->name, *module = type->module;
    if (name == NULL || module == NULL)
        return false;
    if (strcmp(module, "_Concurrency") == 0 || (strcmp(module, "Swift") == 0 && type->address == 0)) {
        if (concurrency_layout(name, layout))
            return true;
    }
    if (strcmp(module, "Swift") != 0)
        return false;
    if (strcmp(name, "Optional") == 0 && type->count == 1) {
        gp_layout wrapped = gp_layout_of_type(type->children[0], depth + 1);
        *layout = gp_single_payload_layout(&wrapped, NULL, 1);
    } else if (strcmp(name, "Bool") == 0) {
        *layout = gp_bool_layout();
    } else if (one_of(name, storages)) {
        *layout = gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
    } else if (one_of(name, bridged)) {
        *layout = gp_reference_layout(GP_OWN_STRONG, GP_WORD_BRIDGE);
    } else if (one_of(name, strings)) {
        *layout = string();
    } else if (strcmp(name, "Substring") == 0) {
        gp_layout text = string();
        *layout = gp_plain_layout(16, 8);
        gp_layout_append(layout, &text, NULL, false);
    } else if (strcmp(name, "Unmanaged") == 0) {
        *layout = gp_reference_layout(GP_OWN_UNMANAGED, GP_WORD_PLAIN);
    } else if (strcmp(name, "ObjectIdentifier") == 0) {
        // A number as far as owning goes: no object can be had from it.
        *layout = gp_raw_pointer_layout();
        layout->steps = NULL;
    } else if (gp_is_unowning_pointer(name)) {
        *layout = gp_raw_pointer_layout();
    } else if (one_of(name, buffers)) {
        *layout = buffer_pointer();
    } else if (one_of(name, ranges) && type->count == 1) {
        *layout = twice(type, depth);
    } else if (strcmp(name, "InlineArray") == 0 && type->count == 2) {
        *layout = repeated(type->children[0], type->children[1], depth);
    } else {
        return number_layout(name, layout);
    }
    return true;
}
