#include "roots.h"

#include <elf.h>
#include <string.h>

#include "arch.h"
#include "thread_control_block.h"
#include "TraceFormat.h"
#include "arena.h"
#include "system_frames.h"
#include "images.h"
#include "thread.h"
#include "thread_stack.h"

enum { RED_ZONE = 128 };

// A larger file is a data base: no references of this process, and too much to read.
static const uintptr_t LARGEST_FILE = 1ul << 30;

typedef struct {
    const gp_roots *roots;
    gp_root_visitor visit;
    void *context;
    bool is_present;  // what is visited is known to be in memory
} visiting;

static void visit_alive(const visiting *v, gp_root_words words) {
    const gp_mapping dead = v->roots->caller->handler;
    gp_root_words below = words;
    if (words.start < dead.end && dead.start < words.end) {
        below.end = dead.start;
        words.start = dead.end;
        if (below.start < below.end)
            v->visit(&below, v->context);
    }
    if (words.start < words.end)
        v->visit(&words, v->context);
}

static void visit_words(const visiting *v, uint8_t kind, uint32_t thread, uintptr_t start, uintptr_t end) {
    visit_alive(v, (gp_root_words){.kind = kind, .thread = thread, .start = start, .end = end});
}

static void visit_mapped(uintptr_t start, uintptr_t end, void *context) {
    visit_words(context, GP_ROOT_MAPPED, 0, start, end);
}

// ------------------------------------------------------------------------------------------------------- threads

static const gp_thread *recorder_thread(uint32_t id) {
    for (const gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        if (thread->id == id && thread->alive)
            return thread;
    return NULL;
}

// The stack of a thread: the mapping that holds its thread control block (libc puts it above the first frame), for the
// main thread the kernel's.
static gp_mapping stack_of(const gp_roots *roots, const gp_stopped_thread *thread) {
    const bool is_main = thread->id == roots->process && !gp_thread_stack_has_no_main;
    for (size_t i = 0; is_main && i < roots->map->count; i++)
        if (roots->map->maps[i].flags & GP_MAP_STACK)
            return (gp_mapping){roots->map->maps[i].start, roots->map->maps[i].end};
    const gp_thread *known = recorder_thread(thread->id);
    if (known && known->stack_low && known->stack_high)
        return (gp_mapping){known->stack_low, known->stack_high};
    const gp_map *map = gp_memory_map_find(roots->map, thread->thread_pointer);
    gp_mapping stack = map ? (gp_mapping){map->start, map->end} : (gp_mapping){0, 0};
    gp_narrow_to_stack(&stack, thread->thread_pointer);
    return (gp_mapping){stack.start, stack.end};
}

// The caller's words from `low` on: of frames of the system only the registers that they have saved. Returns where the
// rest begins.
static uintptr_t visit_system_frames(const visiting *v, const gp_stopped_thread *caller, uintptr_t low) {
    const gp_system_frames *frames = v->roots->system_frames;
    if (!frames || frames->start >= frames->end || frames->start < low)
        return low;
    visit_words(v, GP_ROOT_STACK, caller->id, low, frames->start);
    for (size_t i = 0; i < frames->count; i++)
        visit_words(v, GP_ROOT_STACK, caller->id, frames->slots[i], frames->slots[i] + sizeof(uintptr_t));
    return frames->end;
}

static void visit_thread(const visiting *v, const gp_stopped_thread *thread) {
    uint32_t id = thread->id;
    uintptr_t registers = (uintptr_t)thread->registers, vectors = (uintptr_t)thread->vectors;
    visit_words(v, GP_ROOT_REGISTER, id, registers, registers + sizeof thread->registers);
    bool caller = thread == v->roots->caller;
    if (!thread->in_kernel && thread->vectors)
        visit_words(v, GP_ROOT_REGISTER, id, vectors, vectors + thread->vectors_size);
    gp_mapping stack = stack_of(v->roots, thread);
    const gp_map *map = gp_memory_map_find(v->roots->map, thread->sp);
    uintptr_t low = thread->sp - (thread->in_kernel || caller ? 0 : RED_ZONE);
    bool on_it = low >= stack.start && low < stack.end;
    if (map && low < map->start)
        low = map->start;
    if (caller && on_it)
        low = visit_system_frames(v, thread, low);
    visit_words(v, GP_ROOT_STACK, id, on_it ? low : stack.start, stack.end);
    // A coroutine's stack may lie in a block of the heap.
    visit_words(v, GP_ROOT_STACK, id, (uintptr_t)&thread->sp, (uintptr_t)(&thread->sp + 1));
}

static bool overlaps_stack(const gp_roots *roots, const gp_stopped_thread *thread, uintptr_t start, uintptr_t end,
                           gp_mapping *stack) {
    *stack = stack_of(roots, thread);
    return stack->start < end && stack->end > start;
}

// The first stack that overlaps [start, end); start == end: none.
static gp_mapping first_stack(const gp_roots *roots, uintptr_t start, uintptr_t end) {
    gp_mapping first = {end, end}, stack;
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (gp_thread_was_stopped(&roots->threads->threads[i]) &&
            overlaps_stack(roots, &roots->threads->threads[i], start, end, &stack) && stack.start < first.start)
            first = stack;
    if (overlaps_stack(roots, roots->caller, start, end, &stack) && stack.start < first.start)
        first = stack;
    return first;
}

// ------------------------------------------------------------------------------------------------------ mappings

// Memory without a file: everything but stacks and what the recorder itself notes down.
static void visit_anonymous(visiting *v, uintptr_t start, uintptr_t end) {
    while (start < end) {
        gp_mapping skip = first_stack(v->roots, start, end), own;
        gp_arena_find(start, end, &own.start, &own.end);
        if (own.start < skip.start)
            skip = own;
        uintptr_t stop = skip.start < end ? skip.start : end;
        if (start < stop && v->is_present)
            visit_mapped(start, stop, v);
        else if (start < stop)
            gp_memory_map_present(start, stop, visit_mapped, v);
        start = skip.end > start ? skip.end : end;
    }
}

static const gp_image_info *image_of(uintptr_t address) {
    for (const gp_image_info *image = gp_image_first(); image; image = image->next)
        if (!image->gone && address >= image->start && address < image->end)
            return image;
    return NULL;
}

static bool is_recorder(const gp_image_info *image) {
    uintptr_t own = (uintptr_t)&gp_roots_each_passing;
    return own >= image->start && own < image->end && gp_image_is_called(image, "libGameRecorder");
}

static bool was_writable(const gp_image_info *image, uintptr_t address) {
    for (uint32_t i = 0; i < image->segment_count; i++)
        if (image->segments[i].flags & PF_W && address >= gp_page_start(image->segments[i].start) &&
            address < image->segments[i].end)
            return true;
    return false;
}

typedef struct {
    const visiting *v;
    bool is_libc;
} of_image;

static void visit_written(uintptr_t start, uintptr_t end, void *context) {
    const of_image *of = context;
    visit_alive(of->v, (gp_root_words){.kind = GP_ROOT_GLOBAL, .next_chunks = of->is_libc, .start = start, .end = end});
}

// What linkers put among an image's variables without its ever being written (all constants of libswiftCore) holds nothing.
static void visit_image(const visiting *v, const gp_image_info *image, uintptr_t start, uintptr_t end) {
    if (!is_recorder(image))
        gp_memory_map_written(start, end, visit_written, &(of_image){v, gp_image_is_called(image, "libc.so")});
}

// Shared memory, and files into which the program writes through a mapping.
static void visit_shared(visiting *v, const gp_map *map) {
    const uint32_t needed = map->flags & GP_MAP_MEMORY ? GP_MAP_READ : GP_MAP_READ | GP_MAP_WRITE;
    bool is_small = map->flags & GP_MAP_MEMORY || map->end - map->start <= LARGEST_FILE;
    if ((map->flags & needed) == needed && is_small && !(map->flags & GP_MAP_FOREIGN))
        gp_memory_map_resident(map->start, map->end, visit_mapped, v);
}

static void visit_opened(uintptr_t start, uintptr_t end, void *context) {
    visiting v = *(const visiting *)context;
    v.is_present = true;
    visit_anonymous(&v, start, end);
}

static void visit_mapping(visiting *v, const gp_map *map) {
    if (map->flags & GP_MAP_SHARED)
        visit_shared(v, map);
    if (map->flags & (GP_MAP_SHARED | GP_MAP_HEAP | GP_MAP_STACK | GP_MAP_KERNEL))
        return;
    if (!(map->flags & GP_MAP_READ))
        return;
    if (map->flags & GP_MAP_OPENED || map->end - map->start > GP_RESERVATION) {
        // Reservations for tables and arenas: whatever was never touched is not to be looked at, not even for its kind.
        gp_memory_map_present(map->start, map->end, visit_opened, v);
        return;
    }
    uintptr_t start = map->start;
    const gp_image_info *image = image_of(start);
    if (image && (map->flags & GP_MAP_WRITE || was_writable(image, start))) {
        // The kernel joins an image's zeroed data with whatever was mapped behind it, thread-local storage too.
        uintptr_t end = gp_page_end(image->end);
        visit_image(v, image, start, end < map->end ? end : map->end);
        start = end;
    }
    bool is_file = map->flags & GP_MAP_FILE;
    if (start < map->end && !is_file)
        visit_anonymous(v, start, map->end);
    else if (start < map->end && !image && map->flags & GP_MAP_WRITE)
        gp_memory_map_written(start, map->end, visit_mapped, v);
}

static void visit_other_threads(const visiting *v) {
    for (uint32_t i = 0; i < v->roots->threads->count; i++) {
        const gp_stopped_thread *thread = &v->roots->threads->threads[i];
        if (gp_thread_was_stopped(thread) && !gp_thread_is_hidden(thread->id))
            visit_thread(v, thread);
    }
}

void gp_roots_each_lasting(const gp_roots *roots, gp_root_visitor visit, void *context) {
    visiting v = {roots, visit, context, false};
    for (size_t i = 0; i < roots->map->count; i++)
        visit_mapping(&v, &roots->map->maps[i]);
}

static void note_unread_stack(const gp_memory_map *map, uintptr_t low) {
    const gp_map *stack = gp_memory_map_find(map, low);
    gp_unread_note(low, stack ? stack->end : low + sizeof(uintptr_t),
                   "the stack of the main thread, which has ended, could not be copied");
}

static void visit_exited_main_stack(const visiting *v) {
    const gp_exited_main_stack *left = gp_exited_main_stack_kept();
    if (!left)
        return;
    uintptr_t words = (uintptr_t)left->words, registers = (uintptr_t)left->registers;
    gp_root_words stack = {.kind = GP_ROOT_STACK, .thread = left->thread, .start = words, .end = words + left->size};
    if (left->words)
        v->visit(&stack, v->context);
    else
        note_unread_stack(v->roots->map, left->low);
    visit_words(v, GP_ROOT_REGISTER, left->thread, registers, registers + sizeof left->registers);
}

void gp_roots_each_passing(const gp_roots *roots, gp_root_visitor visit, void *context) {
    visiting v = {roots, visit, context, false};
    visit_exited_main_stack(&v);
    visit_other_threads(&v);
    visit_thread(&v, roots->caller);
}
