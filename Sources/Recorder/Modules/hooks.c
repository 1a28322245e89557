#include "hooks.h"

#include <string.h>

#include "code.h"
#include "task_list.h"
#include "images.h"
#include "runtime_symbols.h"
#include "arch.h"
#include "system.h"

// A slot: a jump to the hook, and behind it the function's first instructions with a jump to what follows them.
enum { SLOT = 64, MOVED_AT = 16, MOVED_MOST = SLOT - MOVED_AT - GP_CODE_FAR_JUMP };
enum { STEP = 1 << 24 };

typedef struct {
    uint8_t *page;  // near the functions, so that a near jump reaches it
    size_t used;
} gp_detours;

// Makes room near `function`. False: the kernel has none, or refuses.
static bool open_detours(gp_detours *detours, uintptr_t function) {
    uintptr_t around = function & ~(uintptr_t)(STEP - 1);
    for (uintptr_t distance = STEP; distance < GP_CODE_REACH; distance += STEP) {
        for (int side = 0; side < 2; side++) {
            uintptr_t wanted = side ? around + distance : around - distance;
            long page = gp_system(mmap, wanted, gp_page_size(), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            if (page == (long)wanted) {
                *detours = (gp_detours){.page = (uint8_t *)page};
                return true;
            }
            if (page > 0)
                gp_system(munmap, page, gp_page_size());
        }
    }
    return false;
}

// Prepares a detour: returns what behaves as the function does now, 0: its first instructions are not of the few kinds
// that can be moved. The function is not yet changed.
static uintptr_t prepare_detour(gp_detours *detours, uintptr_t function, uintptr_t hook) {
    if (detours->used + SLOT > gp_page_size())
        return 0;
    uint8_t *slot = detours->page + detours->used;
    int64_t distance = (int64_t)((uintptr_t)slot - function);
    if (distance != (int32_t)distance)
        return 0;
    size_t moved = gp_code_move(slot + MOVED_AT, (const uint8_t *)function, MOVED_MOST);
    if (!moved)
        return 0;
    gp_code_write_far_jump(slot, hook);
    gp_code_write_far_jump(slot + MOVED_AT + moved, function + moved);
    detours->used += SLOT;
    return (uintptr_t)slot + MOVED_AT;
}

// Makes everything that was prepared executable. False: refused, nothing may be put in place.
static bool close_detours(gp_detours *detours) {
    __builtin___clear_cache((char *)detours->page, (char *)detours->page + gp_page_size());
    return gp_system(mprotect, detours->page, gp_page_size(), PROT_READ | PROT_EXEC) == 0;
}

// Other processors see the jump as a whole where it lies in eight bytes together, as it does at the beginning of a function.
static void write_at_once(uintptr_t place, const uint8_t jump[GP_CODE_NEAR_JUMP]) {
    uintptr_t word = place & ~(uintptr_t)7;
    if (place - word + GP_CODE_NEAR_JUMP > sizeof(uint64_t)) {
        memcpy((void *)place, jump, GP_CODE_NEAR_JUMP);
        return;
    }
    uint64_t code = __atomic_load_n((uint64_t *)word, __ATOMIC_RELAXED);
    memcpy((uint8_t *)&code + (place - word), jump, GP_CODE_NEAR_JUMP);
    __atomic_store_n((uint64_t *)word, code, __ATOMIC_SEQ_CST);
}

// Writes the jump. No thread may be inside the function's first instructions. False: the function cannot be written.
static bool place_detour(uintptr_t original, uintptr_t function) {
    uint8_t jump[GP_CODE_NEAR_JUMP];
    if (!gp_code_near_jump(jump, function, original - MOVED_AT))
        return false;
    uintptr_t first = gp_page_start(function);
    size_t size = gp_page_end(function + GP_CODE_NEAR_JUMP) - first;
    if (gp_system(mprotect, first, size, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
        return false;
    write_at_once(function, jump);
    __builtin___clear_cache((char *)function, (char *)function + GP_CODE_NEAR_JUMP);
    gp_system(mprotect, first, size, PROT_READ | PROT_EXEC);
    return true;
}

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
    if (!open_detours(detours, functions[__builtin_ctz(set)]))
        return "there is no address space near the Swift runtime.";
    for (unsigned i = 0; i < GP_HOOKS; i++) {
        if (!(set >> i & 1))
            continue;
        gp_hook_receivers[i] = receiver;
        gp_hook_originals[i] = prepare_detour(detours, functions[i], gp_hook_entry(i));
        if (!gp_hook_originals[i])
            return "this version of the Swift runtime begins its functions in a way that is not known.";
    }
    return NULL;
}

uintptr_t gp_hook_function(unsigned hook) {
    return functions[hook];
}

static bool count_two(uint32_t id, void *context) {
    return gp_task_has_ended(id) || ++*(unsigned *)context < 2;
}

// Another thread may stand between the instructions that a jump replaces, however it is written.
static bool others_run(void) {
    unsigned threads = 0;
    return !gp_task_each(count_two, &threads) || threads > 1;
}

const char *gp_hooks_place(uint32_t set, gp_hook_receiver *receiver) {
    for (unsigned i = 0; i < GP_HOOKS; i++)
        if (set >> i & 1 && gp_hook_originals[i])
            return "another history of reference counts is recorded.";
    if (others_run())
        return "other threads run already, which may be executing the code that is to be changed.";
    gp_detours detours;
    gp_runtime_symbols(names, functions, GP_HOOKS);
    const char *failure = prepare(set, receiver, &detours);
    if (failure)
        return failure;
    static const char refused[] = "the system does not permit changing code.";
    if (!close_detours(&detours))
        return refused;
    for (unsigned i = 0; i < GP_HOOKS; i++)
        if (set >> i & 1 && !place_detour(gp_hook_originals[i], functions[i]))
            return refused;
    return NULL;
}
