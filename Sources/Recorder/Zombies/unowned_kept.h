// Objects whose deinit has run while unowned references keep their memory: the runtime frees them later, and looks at
// their first two words until then.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "quarantine.h"

// Lets the runtime's function that ends an object's life come here first. Where it cannot be found or changed, such
// objects are not known: their use is reported without the place of their deallocation.
void gp_unowned_kept_prepare(void);

// How many there were.
uint64_t gp_unowned_kept_in_all(void);

// The slot of an object kept by unowned references, NULL: it is not known as one.
gp_quarantine_slot *gp_unowned_slot(uintptr_t object);

extern __attribute__((visibility("hidden"))) _Atomic uint32_t gp_unowned_kept_count;
void gp_unowned_kept_freed_slowly(gp_quarantine_slot *dead);

// The object is freed at last: copies into `dead` where its deinit ran, if unowned references kept it. A load when they keep
// none.
static inline void gp_unowned_kept_freed(gp_quarantine_slot *dead) {
    if (__builtin_expect(gp_unowned_kept_count > 0, 0))
        gp_unowned_kept_freed_slowly(dead);
}
