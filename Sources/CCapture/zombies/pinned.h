// Objects whose deinit has run while unowned references keep their memory: the runtime frees them later, and looks at
// their first two words until then.
#ifndef GP_ZOMBIES_PINNED_H
#define GP_ZOMBIES_PINNED_H

#include <stdbool.h>
#include <stdint.h>

#include "grave.h"

// Lets the runtime's function that ends an object's life come here first. Where it cannot be found or changed, such
// objects are not known: their use is told without the place of their death.
void gp_pinned_prepare(void);

// The grave of a pinned object, NULL: it is not known as one.
gp_grave *gp_pinned_grave(uintptr_t object);

extern __attribute__((visibility("hidden"))) _Atomic uint32_t gp_pinned_count;
void gp_pinned_freed_slowly(gp_grave *dead);

// The object is freed at last: copies where it died into `dead` when it was pinned. A load when none is.
static inline void gp_pinned_freed(gp_grave *dead) {
    if (__builtin_expect(gp_pinned_count > 0, 0))
        gp_pinned_freed_slowly(dead);
}

#endif
