// Plans of references, from the steps of a layout.
#pragma once

#include "type_layout.h"
#include "references.h"

// Adds the references of a value at offset `base` of the object; the plan is no longer fixed when they depend on the
// value in a way that marking must know of.
void gp_plan_add(gp_reference_plan *plan, const gp_step *steps, uint32_t base);

// The plans of one kind of metadata each.
gp_reference_plan gp_class_plan(uintptr_t metadata);
gp_reference_plan gp_local_plan(uintptr_t metadata);
