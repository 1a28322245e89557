// Weak definitions of the parts that are not in the tree yet, so that the library links; a strong one replaces each.
#include "heap.h"
#include "swift_types.h"

#define WEAK __attribute__((weak))

WEAK uint32_t gp_type_id(struct gp_thread *thread, uintptr_t word, size_t size) {
    (void)thread, (void)word, (void)size;
    return 0;
}

WEAK void gp_heap_prepare(void) {}

WEAK bool gp_heap_snapshot(struct gp_thread *thread, uint8_t flags, const char *name, uintptr_t caller_sp) {
    (void)thread, (void)flags, (void)name, (void)caller_sp;
    return false;
}

WEAK int gp_heap_stop_signal(void) {
    return 0;
}
