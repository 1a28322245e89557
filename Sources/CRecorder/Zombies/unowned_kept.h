// Objects whose deinit has run while unowned references keep their memory: the runtime frees them later, and looks at
// their first two words until then.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "quarantine_slot.h"

// Lets the runtime's function that ends an object's life come here first. Where it cannot be found or changed, such
// objects are not known: their use is reported without the place of their death.
void gp_unowned_kept_prepare(void);

// The slot of a pinned object, NULL: it is not known as one.
gp_quarantine_slot *gp_unowned_slot(uintptr_t object);

extern __attribute__((visibility("hidden"))) _Atomic uint32_t gp_unowned_kept_count;
void gp_unowned_kept_freed_slowly(gp_quarantine_slot *dead);

// The object is freed at last: copies where it died into `dead` when it was pinned. A load when none is.
static inline void gp_unowned_kept_freed(gp_quarantine_slot *dead) {
    if (__builtin_expect(gp_unowned_kept_count > 0, 0))
        gp_unowned_kept_freed_slowly(dead);
}
