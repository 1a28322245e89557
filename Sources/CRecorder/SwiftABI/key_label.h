// Printing a dictionary's key beside its value.
#pragma once

#include <stdint.h>

#include "text.h"

// Appends the key at `address` of type `metadata` if it is a string or an integer.
void gp_append_key(gp_text *text, uintptr_t metadata, uintptr_t address);
