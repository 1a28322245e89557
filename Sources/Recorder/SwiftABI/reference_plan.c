// Which words of a type's values are strong references, where that needs no look at the value.
#include "walk.h"

enum { PLAN_WORDS = 64, DEEPEST = 16 };

static bool add_word(gp_reference_plan *plan, uint32_t offset) {
    if (offset % 8 != 0 || offset / 8 >= PLAN_WORDS)
        return false;
    plan->strong |= 1ull << (offset / 8);
    return true;
}

static bool add(gp_reference_plan *plan, const gp_step *steps, uint32_t base, unsigned depth) {
    bool fixed = depth < DEEPEST;
    for (const gp_step *step = steps; step != NULL && fixed; step = step->next) {
        uint32_t at = base + step->offset;
        switch (step->kind) {
        case GP_STEP_REFERENCE:
            fixed = step->ownership == GP_OWN_STRONG
                        ? add_word(plan, at)
                        : step->ownership == GP_OWN_CONSERVATIVE || step->ownership == GP_OWN_UNMANAGED;
            break;
        case GP_STEP_FUNCTION:
            fixed = add_word(plan, at + 8);
            break;
        case GP_STEP_PART:
        case GP_STEP_PAYLOAD:
            fixed = add(plan, step->children, at, depth + 1);
            break;
        case GP_STEP_CASES:
            for (uint32_t i = 0; i < step->count && fixed; i++)
                fixed = add(plan, step->cases[i], at, depth + 1);
            break;
        case GP_STEP_UNKNOWN:
            break;
        default:
            fixed = false;
        }
    }
    return fixed;
}

void gp_plan_add(gp_reference_plan *plan, const gp_step *steps, uint32_t base) {
    plan->fixed = plan->fixed && add(plan, steps, base, 0);
}
