// The stored property at an offset of an instance, by parsing metadata alone.
#ifndef GP_ZOMBIES_FIELD_NAME_H
#define GP_ZOMBIES_FIELD_NAME_H

#include <stdint.h>

// The name of the property that holds the byte at `offset`, NULL: not a class, or no property is known there.
const char *gp_field_name(uintptr_t metadata, uint32_t offset);

#endif
