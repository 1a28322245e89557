// Functions that a loaded image exports, read from its memory: no lock, no call into the loader.
#pragma once

#include "images.h"

// The address of `name`, 0: the image does not export it, or has no table of the GNU kind.
uintptr_t gp_exported_symbol(const gp_image_info *image, const char *name);
