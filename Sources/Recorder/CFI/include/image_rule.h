// What the call frame information of an image says of its code. For the tool too, which has copied the image.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "image_layout.h"

// The gp_rule at `place` of an image: of an instruction of its own when `exact`, else of the byte before a return address. Without
// call frame information by the instructions around it. ~1 µs.
uint64_t gp_rule_in_image(const gp_image_info *image, uintptr_t place, bool exact);

// First address of the function that holds `place`, by the image's call frame information. 0: there is none.
uintptr_t gp_function_in_image(const gp_image_info *image, uintptr_t place);
