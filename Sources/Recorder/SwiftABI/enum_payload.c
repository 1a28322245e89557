// Enums: where the case stands and what its payload holds.
#include "TraceFormat.h"
#include "arena.h"
#include "context_descriptor.h"
#include "type_layout.h"
#include "mangled_name.h"

enum { PAYLOAD_CASES = 20, EMPTY_CASES = 24, MOST_PAYLOADS = 256 };

static uint32_t tag_bytes_for(uint64_t tags) {
    return tags <= 1 ? 0 : tags <= 256 ? 1 : tags <= 65536 ? 2 : 4;
}

static unsigned bits_for(uint64_t values) {
    unsigned bits = 0;
    while (((uint64_t)1 << bits) < values)
        bits++;
    return bits;
}

// The bits of the tag behind the payload that lie above the `used` lowest.
static void spare_tag_bits(gp_layout *layout, uint32_t tag_bytes, unsigned used) {
    for (uint32_t i = 0; layout->spares_known && i < tag_bytes; i++) {
        unsigned taken = used > 8 * i ? used - 8 * i : 0;
        ((uint8_t *)layout->spare)[layout->size + i] = taken >= 8 ? 0 : (uint8_t)(0xff << taken);
    }
}

static gp_layout without_payload(uint32_t cases) {
    uint32_t bytes = tag_bytes_for(cases);
    gp_layout layout = gp_plain_layout(bytes, bytes == 0 ? 1 : bytes);
    uint64_t values = bytes == 1 ? 256 : bytes == 2 ? 65536 : UINT32_MAX;
    if (bytes != 0 && cases < values)
        layout.extra = (gp_inhabitants){.width = (uint8_t)bytes, .first = cases, .count = (uint32_t)(values - cases)};
    if (bytes != 0)
        layout.spare[0] = ~(((uint64_t)1 << bits_for(cases)) - 1) & (UINT64_MAX >> (64 - 8 * bytes));
    return layout;
}

static const gp_step *guarded(const gp_step *steps, gp_inhabitants none) {
    // A reference is told from the pointer values that no object has by itself.
    if (steps != NULL && steps->next == NULL && steps->kind == GP_STEP_REFERENCE && none.width == 8 &&
        none.offset == steps->offset)
        return steps;
    gp_step *guard = steps == NULL ? NULL : gp_new_step(GP_STEP_PAYLOAD, 0);
    if (guard == NULL)
        return steps;
    guard->none = none;
    guard->children = steps;
    return guard;
}

gp_layout gp_single_payload_layout(const gp_layout *payload, const char *label, uint32_t empty_cases) {
    gp_layout layout = *payload;
    layout.steps = gp_part(payload->steps, 0, label, label != NULL);
    if (!payload->sized || empty_cases == 0)
        return layout;
    // What is left of the payload's spare bits is not used again; only whether an extra tag has some is not known.
    memset(layout.spare, 0, sizeof layout.spare);
    uint32_t used = empty_cases < payload->extra.count ? empty_cases : payload->extra.count;
    if (used > 0) {
        gp_inhabitants none = payload->extra;
        none.count = used;
        if (none.descending)
            none.first += payload->extra.count - used;
        layout.steps = guarded(layout.steps, none);
        layout.extra.first += payload->extra.descending ? 0 : used;
        layout.extra.count -= used;
    }
    uint32_t rest = empty_cases - used;
    if (rest > 0) {
        // Tag 0 is the payload; each further tag has room for as many cases as the payload's bits can tell apart.
        uint64_t per_tag = payload->size >= 4 ? UINT32_MAX : (uint64_t)1 << (8 * payload->size);
        uint64_t tags = 1 + (rest + per_tag - 1) / per_tag;
        uint32_t bytes = tag_bytes_for(tags);
        gp_inhabitants tag = {.offset = payload->size,
                              .width = (uint8_t)bytes,
                              .first = 1,
                              .count = UINT32_MAX,
                              .bits = (uint8_t)bits_for(tags)};
        layout.steps = guarded(layout.steps, tag);
        layout.spares_known = payload->size + bytes <= 8 * GP_SPARE_WORDS;
        spare_tag_bits(&layout, bytes, bits_for(tags));
        layout.size = payload->size + bytes;
        layout.extra.count = 0;
    }
    return layout;
}

typedef struct {
    gp_layout *payloads;
    const char **names;
    uint32_t count;
    bool fixed;  // no payload depends on a generic parameter
    bool address_only;
} payload_list;

static bool read_payloads(uintptr_t descriptor, const gp_generic_environment *environment, unsigned depth,
                          payload_list *list) {
    list->fixed = true;
    for (uint32_t i = 0; i < list->count; i++) {
        gp_field field;
        if (!gp_field_at(descriptor, i, &field))
            return false;
        list->names[i] = field.name;
        if (field.indirect) {
            list->payloads[i] = gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
        } else if (field.type_name == 0) {
            return false;
        } else {
            list->payloads[i] = gp_layout_of_type(gp_type_of_mangled_name(field.type_name, environment), depth + 1);
            if (gp_context_is_generic(descriptor) &&
                !gp_layout_of_type(gp_type_of_mangled_name(field.type_name, NULL), depth + 1).sized)
                list->fixed = false;
        }
        if (!list->payloads[i].sized)
            return false;
        list->address_only |= list->payloads[i].address_only;
    }
    return true;
}

// Bits that no payload uses; false when that is not known for one of them.
static bool common_spare_bits(const payload_list *list, uint32_t size, uint64_t spare[GP_SPARE_WORDS]) {
    memset(spare, 0, GP_SPARE_WORDS * sizeof *spare);
    if (!list->fixed || list->address_only)
        return true;
    if (size > 8 * GP_SPARE_WORDS)
        return false;
    memset(spare, 0xff, size);
    for (uint32_t i = 0; i < list->count; i++) {
        const gp_layout *payload = &list->payloads[i];
        if (!payload->spares_known)
            return false;
        uint8_t bytes[8 * GP_SPARE_WORDS];
        memset(bytes, 0xff, sizeof bytes);
        memcpy(bytes, payload->spare, payload->size);
        for (uint32_t byte = 0; byte < size; byte++)
            ((uint8_t *)spare)[byte] &= bytes[byte];
    }
    return true;
}

static unsigned count_bits(const uint64_t words[GP_SPARE_WORDS]) {
    unsigned count = 0;
    for (unsigned i = 0; i < GP_SPARE_WORDS; i++)
        count += (unsigned)__builtin_popcountll(words[i]);
    return count;
}

static void keep_highest(uint64_t words[GP_SPARE_WORDS], unsigned wanted) {
    for (unsigned i = 0, drop = count_bits(words) - wanted; i < GP_SPARE_WORDS && drop > 0;) {
        if (words[i] == 0) {
            i++;
            continue;
        }
        words[i] &= words[i] - 1;
        drop--;
    }
}

static gp_layout with_payloads(payload_list *list, uint32_t empty_cases) {
    gp_layout layout = gp_plain_layout(0, 1);
    layout.address_only = list->address_only;
    bool owns = false;
    for (uint32_t i = 0; i < list->count; i++) {
        layout.size = list->payloads[i].size > layout.size ? list->payloads[i].size : layout.size;
        layout.alignment =
            list->payloads[i].alignment > layout.alignment ? list->payloads[i].alignment : layout.alignment;
        owns |= list->payloads[i].steps != NULL;
    }
    uint64_t spare[GP_SPARE_WORDS];
    if (!common_spare_bits(list, layout.size, spare))
        return gp_unknown_layout();
    unsigned spare_bits = count_bits(spare);
    unsigned used_bits = 8 * layout.size - spare_bits;
    uint64_t per_tag = used_bits >= 32 ? UINT32_MAX : (uint64_t)1 << used_bits;
    uint64_t tags = list->count + (empty_cases + per_tag - 1) / per_tag;
    unsigned wanted = bits_for(tags), in_payload = wanted < spare_bits ? wanted : spare_bits;
    uint32_t tag_bytes = in_payload == wanted ? 0 : tag_bytes_for((uint64_t)1 << (wanted - in_payload));
    uint64_t *tag_mask = gp_arena_allocate(sizeof spare);
    if (tag_mask == NULL)
        return gp_unknown_layout();
    memcpy(tag_mask, spare, sizeof spare);
    keep_highest(tag_mask, in_payload);
    gp_step *cases = owns ? gp_new_step(GP_STEP_CASES, 0) : NULL;
    if (cases != NULL) {
        cases->tag_mask = tag_mask;
        cases->tag_bytes = (uint8_t)tag_bytes;
        cases->tag_bits = (uint8_t)(wanted - in_payload);
        cases->extent = layout.size;
        cases->count = list->count;
        cases->cases = gp_arena_allocate(list->count * sizeof *cases->cases);
        for (uint32_t i = 0; cases->cases != NULL && i < list->count; i++)
            cases->cases[i] = gp_part(list->payloads[i].steps, 0, list->names[i], true);
        if (cases->cases == NULL)
            return gp_unknown_layout();
    }
    layout.steps = cases;
    // The bits that this enum leaves unused serve an enum around it.
    for (unsigned i = 0; i < GP_SPARE_WORDS; i++)
        layout.spare[i] = spare[i] & ~tag_mask[i];
    layout.spares_known = layout.size + tag_bytes <= 8 * GP_SPARE_WORDS;
    spare_tag_bits(&layout, tag_bytes, wanted - in_payload);
    // How many values are left decides the size of an optional around this enum. Where they lie in the payload's spare
    // bits, all words of such a value are zero but for those bits: it names no object, whatever its tag seems to be.
    unsigned all_bits = spare_bits + (in_payload == wanted ? 0 : 8 * tag_bytes);
    uint64_t all_tags = all_bits >= 31 ? INT32_MAX : (uint64_t)1 << all_bits;
    layout.extra = (gp_inhabitants){.count = (uint32_t)(all_tags - tags), .first = tags};
    if (in_payload == 0) {
        layout.extra.offset = layout.size;
        layout.extra.width = (uint8_t)tag_bytes;
        layout.extra.descending = true;
    }
    layout.size += tag_bytes;
    return layout;
}

gp_layout gp_enum_layout(uintptr_t descriptor, const gp_generic_environment *environment, unsigned depth) {
    uint32_t payload_cases = gp_u32_at(descriptor + PAYLOAD_CASES) & 0xffffff;
    uint32_t empty_cases = gp_u32_at(descriptor + EMPTY_CASES);
    if (payload_cases == 0)
        return without_payload(empty_cases);
    if (payload_cases > MOST_PAYLOADS)
        return gp_unknown_layout();
    payload_list list = {.count = payload_cases};
    list.payloads = gp_arena_allocate(payload_cases * sizeof *list.payloads);
    list.names = gp_arena_allocate(payload_cases * sizeof *list.names);
    if (list.payloads == NULL || list.names == NULL || !read_payloads(descriptor, environment, depth, &list))
        return gp_unknown_layout();
    if (payload_cases == 1)
        return gp_single_payload_layout(&list.payloads[0], list.names[0], empty_cases);
    return with_payloads(&list, empty_cases);
}
