// Whether objects that may be growth live through closures: then the graph of the heap says who made these.
#pragma once

#include <stdbool.h>

#include "root_paths.h"

// Looks at the nearest holders of the objects that `paths` has found for what may be growth. About 1 µs for each.
bool gp_closures_hold_growing(const gp_root_paths *paths);
