// The stored property at an offset of an instance, by parsing metadata alone.
#pragma once

#include <stdint.h>

// The name of the property that holds the byte at `offset`, NULL: not a class, or no property is known there.
const char *gp_field_name(uintptr_t metadata, uint32_t offset);
