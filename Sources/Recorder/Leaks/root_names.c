#include "roots.h"

#include "TraceFormat.h"
#include "images.h"
#include "object_kind.h"
#include "stale_filters.h"

enum { FRAMES_MAX = 1024 };

typedef struct {
    const gp_roots *roots;
    uint64_t *wanted;
    gp_root_name_visitor visit;
    void *context;
    bool of_libc;  // libc's own variables are searched, nothing else
} search;

static const gp_stopped_thread *thread_with(const gp_roots *roots, uint32_t id) {
    if (roots->caller->id == id)
        return roots->caller;
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (roots->threads->threads[i].id == id)
            return &roots->threads->threads[i];
    return NULL;
}

static bool is_thread_local(const gp_stopped_thread *thread, uintptr_t address) {
    const gp_mapping locals = gp_images_thread_locals(thread->thread_pointer);
    return address >= locals.start && address < locals.end;
}

static const gp_stopped_thread *thread_of_local(const gp_roots *roots, uintptr_t address) {
    if (is_thread_local(roots->caller, address))
        return roots->caller;
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (gp_thread_was_stopped(&roots->threads->threads[i]) && is_thread_local(&roots->threads->threads[i], address))
            return &roots->threads->threads[i];
    return NULL;
}

uintptr_t gp_frame_owner(const uintptr_t *pcs, size_t frame, size_t count) {
    for (size_t i = frame; i < count; i++)
        if (!gp_is_system_frame(pcs[i] - 1))
            return pcs[i];
    return pcs[frame];
}

static void place_on_stack(gp_root_name *name, const gp_stopped_thread *thread) {
    static uintptr_t pcs[FRAMES_MAX], cfas[FRAMES_MAX];
    size_t count = gp_stack_unwind(thread->at, pcs, cfas, FRAMES_MAX);
    for (size_t i = 0; i < count; i++)
        if (name->address < cfas[i]) {
            name->pc = gp_frame_owner(pcs, i, count);
            return;
        }
    if (is_thread_local(thread, name->address))
        name->kind = GP_ROOT_THREAD_LOCAL;
}

static void place(const gp_roots *roots, gp_root_name *name) {
    const gp_stopped_thread *thread = NULL;
    if (name->kind == GP_ROOT_STACK && (thread = thread_with(roots, name->thread)))
        place_on_stack(name, thread);
    else if (name->kind == GP_ROOT_MAPPED && (thread = thread_of_local(roots, name->address))) {
        name->kind = GP_ROOT_THREAD_LOCAL;
        name->thread = thread->id;
    }
}

static void place_on_left(gp_root_name *name, const gp_exited_main_stack *left) {
    name->address = name->address - (uintptr_t)left->words + left->low;
    name->pc = gp_exited_main_stack_owner(left, name->address);
}

static void place_root(const gp_roots *roots, gp_root_name *name) {
    const gp_exited_main_stack *left = gp_exited_main_stack_kept();
    if (left && name->kind == GP_ROOT_STACK && name->address - (uintptr_t)left->words < left->size)
        place_on_left(name, left);
    else
        place(roots, name);
}

static void search_words(const gp_root_words *words, void *context) {
    const search *s = context;
    if (words->next_chunks != s->of_libc)
        return;
    for (uintptr_t at = (words->start + 7) & ~(uintptr_t)7; at + 8 <= words->end; at += 8) {
        uint32_t blocks[GP_NAMED_MAX];
        uintptr_t starts[GP_NAMED_MAX], word = *(const uintptr_t *)at;
        unsigned count = gp_blocks_named(s->roots->index, word, blocks, starts);
        for (unsigned i = 0; i < count; i++) {
            if (!gp_set_has(s->wanted, blocks[i]) || (words->next_chunks && word == gp_next_chunk(starts[i])))
                continue;
            s->wanted[blocks[i] / 64] &= ~(1ull << (blocks[i] % 64));
            gp_root_name name = {.block = blocks[i], .kind = words->kind, .thread = words->thread, .address = at};
            if (words->kind == GP_ROOT_REGISTER)
                name.address = (at - words->start) / 8;
            place_root(s->roots, &name);
            s->visit(&name, s->context);
        }
    }
}

void gp_root_names(const gp_roots *roots, uint64_t *wanted, gp_root_name_visitor visit, void *context) {
    search s = {roots, wanted, visit, context, false};
    gp_roots_each_lasting(roots, search_words, &s);
    gp_roots_each_passing(roots, search_words, &s);
    s.of_libc = true;
    gp_roots_each_lasting(roots, search_words, &s);
}
