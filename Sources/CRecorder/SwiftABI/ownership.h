// What a stored reference owns.
#pragma once

#include <stdint.h>

#include "swift_type.h"

// GP_OWN_* of reference storage by the last letter of its mangling: `Xw` weak, `Xo` unowned, `Xu` unowned(unsafe).
uint8_t gp_ownership_of_storage(char letter);

// True for a structure of the standard library that is one pointer and owns nothing: Unmanaged and unsafe pointers.
bool gp_is_unowning_pointer(const char *name);
