// Calls a hooked function, and unwinds from within the look that its entry takes at the object: the caller must be found.
#include <stdio.h>
#include <unwind.h>

#include "hooks.h"

extern void gp_hook_retain(void), gp_hook_release_n(void), gp_hook_allocate(void), gp_hook_deallocate(void);

static const struct {
    const char *name;
    void (*entry)(void);
} entries[] = {
    [GP_HOOK_RETAIN] = {"retain", gp_hook_retain},
    [GP_HOOK_RELEASE_N] = {"release_n", gp_hook_release_n},
    [GP_HOOK_ALLOCATE] = {"allocate", gp_hook_allocate},
    [GP_HOOK_DEALLOCATE] = {"deallocate", gp_hook_deallocate},
};

static uintptr_t wanted;
static unsigned found, looks;

static _Unwind_Reason_Code take(struct _Unwind_Context *context, void *unused) {
    (void)unused;
    found += (uintptr_t)_Unwind_GetIP(context) == wanted;
    return _URC_NO_REASON;
}

static void see(uintptr_t object, uint32_t times, uint32_t hook, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    (void)object, (void)times, (void)hook, (void)sp, (void)fp;
    wanted = pc;
    looks++;
    _Unwind_Backtrace(take, NULL);
}

static void *original(void *object) {
    return object;
}

int main(void) {
    static uintptr_t object[] = {0x1238, 0};
    for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!entries[i].entry)
            continue;
        gp_hook_originals[i] = (uintptr_t)original;
        gp_hook_receivers[i] = see;
        found = looks = 0;
        void *result = ((void *(*)(void *))entries[i].entry)(object);
        if (looks != 1 || found != 1 || result != object)
            fprintf(stderr, "%s: looked %u times, found its caller %u times\n", entries[i].name, looks, found);
    }
}
