#include "code.h"
#include "detour.h"
#include "task_list.h"
#include "hooks.h"
#include "images.h"
#include "runtime_symbols.h"

static const char *const names[GP_HOOKS] = {
    "swift_retain",
    "swift_retain_n",
    "swift_release",
    "swift_release_n",
    "swift_tryRetain",
    "swift_nonatomic_retain",
    "swift_nonatomic_retain_n",
    "swift_nonatomic_release",
    "swift_nonatomic_release_n",
    "swift_allocObject",
    "swift_deallocClassInstance",
};

static uintptr_t functions[GP_HOOKS];

static const char *prepare(uint32_t set, gp_hook_receiver *receiver, gp_detours *detours) {
    for (unsigned i = 0; i < GP_HOOKS; i++)
        if (set >> i & 1 && !gp_address_is_readable_code(functions[i], GP_CODE_MOVED_MOST))
            return "the functions of the Swift runtime are not among the program's symbols (there is none, or it is "
                   "linked "
                   "statically and stripped).";
    if (!gp_detours_open(detours, functions[__builtin_ctz(set)]))
        return "there is no address space near the Swift runtime.";
    for (unsigned i = 0; i < GP_HOOKS; i++) {
        if (!(set >> i & 1))
            continue;
        gp_hook_receivers[i] = receiver;
        gp_hook_originals[i] = gp_detour_prepare(detours, functions[i], gp_hook_entry(i));
        if (!gp_hook_originals[i])
            return "this version of the Swift runtime begins its functions in a way that is not known.";
    }
    return NULL;
}

uintptr_t gp_hook_function(unsigned hook) {
    return functions[hook];
}

static bool count_two(uint32_t id, void *context) {
    (void)id;
    return ++*(unsigned *)context < 2;
}

// Another thread may stand between the instructions that a jump replaces, however it is written.
static bool others_run(void) {
    unsigned threads = 0;
    return !gp_task_each(count_two, &threads) || threads > 1;
}

const char *gp_hooks_place(uint32_t set, gp_hook_receiver *receiver) {
    if (others_run())
        return "other threads run already, which may be executing the code that is to be changed.";
    gp_detours detours;
    gp_runtime_symbols(names, functions, GP_HOOKS);
    const char *failure = prepare(set, receiver, &detours);
    if (failure)
        return failure;
    static const char refused[] = "the system does not permit changing code.";
    if (!gp_detours_close(&detours))
        return refused;
    for (unsigned i = 0; i < GP_HOOKS; i++)
        if (set >> i & 1 && !gp_detour_place(gp_hook_originals[i], functions[i]))
            return refused;
    return NULL;
}
