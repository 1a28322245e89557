// Interpreting layout steps.
#include "walk.h"

#include "arch.h"
#include "images.h"
#include "metadata.h"
#include "word.h"

enum { DEEPEST = 32 };

void gp_walk_report(gp_walk *walk, uintptr_t address, uintptr_t target, uint8_t ownership, uintptr_t function) {
    gp_reference reference = {
        .target = target,
        .offset = (uint32_t)(address - walk->object),
        .ownership = walk->guessed && ownership == GP_OWN_STRONG ? GP_OWN_CONSERVATIVE : ownership,
        .label_kind = walk->label_kind,
        .position = walk->position,
        .function = function,
        .declared_type = walk->declared_type,
        .not_weak = walk->not_weak,
        .constant = walk->constant,
        .label = walk->mode == GP_DECODE_LABELS ? walk->label : NULL,
    };
    walk->visit(&reference, walk->context);
}

void gp_walk_unknown(gp_walk *walk, uintptr_t start, uintptr_t end) {
    walk->whole = false;
    uintptr_t limit = walk->object + walk->size;
    end = end < limit ? end : limit;
    for (uintptr_t at = gp_align_up(start, 8); at + 8 <= end; at += 8) {
        uintptr_t target = gp_word_at(at) & GP_ADDRESS_BITS;
        if (target >= 65536 && target >> GP_USER_BITS == 0)
            gp_walk_report(walk, at, target, GP_OWN_CONSERVATIVE, 0);
    }
}

static void walk_reference(gp_walk *walk, const gp_step *step, uintptr_t at) {
    uintptr_t word = gp_word_at(at), target = word & GP_ADDRESS_BITS;
    if (step->encoding == GP_WORD_WEAK) {
        if (target >= GP_LEAST_POINTER)
            gp_walk_report(walk, at, gp_weak_target(target), GP_OWN_WEAK, 0);
        return;
    }
    if (target < GP_LEAST_POINTER || (step->encoding == GP_WORD_BRIDGE && word >> 63 != 0))
        return;
    gp_walk_report(walk, at, target, step->ownership, 0);
}

// The code of an asynchronous function stands where its function pointer says, relative to itself.
static uintptr_t code_of(uintptr_t function) {
    if (gp_address_is_executable(function) || !gp_address_is_readable_image(function, 8))
        return function;
    uintptr_t code = gp_relative_at(function);
    return gp_address_is_executable(code) ? code : function;
}

static void walk_function(gp_walk *walk, uintptr_t at) {
    uintptr_t function = gp_word_at(at) & GP_ADDRESS_BITS, target = gp_word_at(at + 8) & GP_ADDRESS_BITS;
    if (function >= GP_LEAST_POINTER && target >= GP_LEAST_POINTER) {
        function = code_of(gp_word_at(at) & 0x00ffffffffffffff);
        gp_walk_report(walk, at + 8, target, GP_OWN_STRONG, function);
    }
}

static uint64_t value_at(uintptr_t at, uint8_t width) {
    uint64_t value = 0;
    memcpy(&value, (const void *)at, width);
    return value;
}

static void walk_payload(gp_walk *walk, const gp_step *step, uintptr_t at) {
    if (step->none.width != 0) {
        uint64_t value = value_at(at + step->none.offset, step->none.width);
        if (step->none.bits != 0)
            value &= ((uint64_t)1 << step->none.bits) - 1;
        if (value - step->none.first < step->none.count)
            return;
    }
    gp_walk_steps(walk, step->children, at);
}

static void walk_cases(gp_walk *walk, const gp_step *step, uintptr_t at) {
    uint64_t tag = 0;
    unsigned bits = 0;
    for (unsigned i = 0; i < GP_SPARE_WORDS && 8 * i < step->extent; i++) {
        uint64_t word = 0;
        uint32_t rest = step->extent - 8 * i;
        memcpy(&word, (const void *)(at + 8 * i), rest < 8 ? rest : 8);
        for (uint64_t mask = step->tag_mask[i]; mask != 0; mask &= mask - 1)
            tag |= ((word >> __builtin_ctzll(mask)) & 1) << bits++;
    }
    if (step->tag_bytes != 0) {
        uint64_t extra = value_at(at + step->extent, step->tag_bytes);
        tag |= (extra & (((uint64_t)1 << step->tag_bits) - 1)) << bits;
    }
    if (tag < step->count)
        gp_walk_steps(walk, step->cases[tag], at);
}

static void walk_existential(gp_walk *walk, uintptr_t at) {
    uintptr_t metadata = gp_word_at(at + 24);
    gp_value_witnesses witnesses;
    if (metadata < GP_LEAST_POINTER)
        return;
    bool is_class = gp_metadata_is_readable(metadata) && gp_metadata_is_class(metadata);
    if (!is_class && !gp_value_witnesses_of(metadata, &witnesses)) {
        gp_walk_unknown(walk, at, at + 24);
        return;
    }
    if (!is_class && !witnesses.inline_value) {
        gp_walk_report(walk, at, gp_word_at(at) & GP_ADDRESS_BITS, GP_OWN_STRONG, 0);
        return;
    }
    const gp_layout *layout = gp_layout_of_metadata(metadata);
    if (layout == NULL) {
        gp_walk_unknown(walk, at, at + 24);
        return;
    }
    gp_walk_steps(walk, layout->steps, at);
}

void gp_walk_steps(gp_walk *walk, const gp_step *steps, uintptr_t address) {
    if (walk->depth >= DEEPEST) {
        walk->whole = false;
        return;
    }
    walk->depth++;
    for (const gp_step *step = steps; step != NULL; step = step->next) {
        uintptr_t at = address + step->offset;
        bool outer = walk->not_weak;
        if (walk->depth == 1)
            walk->constant = step->constant;
        walk->not_weak = step->label != NULL ? step->not_weak : outer || step->kind == GP_STEP_EXISTENTIAL;
        const size_t mark = gp_walk_enter(walk, step->label);
        switch (step->kind) {
        case GP_STEP_REFERENCE:
            walk_reference(walk, step, at);
            break;
        case GP_STEP_FUNCTION:
            walk_function(walk, at);
            break;
        case GP_STEP_PART:
            gp_walk_steps(walk, step->children, at);
            break;
        case GP_STEP_PAYLOAD:
            walk_payload(walk, step, at);
            break;
        case GP_STEP_CASES:
            walk_cases(walk, step, at);
            break;
        case GP_STEP_EXISTENTIAL:
            walk_existential(walk, at);
            break;
        default:
            gp_walk_unknown(walk, at, step->extent == 0 ? walk->object + walk->size : at + step->extent);
        }
        gp_walk_leave(walk, mark);
        walk->not_weak = outer;
    }
    walk->depth--;
}
