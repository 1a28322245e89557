#include "heap_facts.h"

#include <stdio.h>
#include <string.h>

#include "alloc_hooks.h"
#include "arena.h"
#include "exited_main_stack.h"
#include "generations.h"
#include "images.h"
#include "kernel_texts.h"
#include "live_table.h"
#include "live_types.h"
#include "program_mappings.h"
#include "stack.h"
#include "swift_types.h"
#include "system.h"
#include "thread_control_block.h"
#include "thread_stack.h"
#include "TraceFormat.h"

enum {
    ROWS = GP_SEARCH_MOST_SAID / sizeof(gp_search_words),
    BLOCKS = GP_SEARCH_MOST_SAID / sizeof(gp_search_block),
    FRAMES = 1024
};

typedef struct {
    const gp_heap_facts *facts;
    gp_search_stream *stream;
    bool is_passing;
    size_t count;  // rows or blocks that wait to be sent
    union {
        gp_search_words *rows;
        gp_search_block *blocks;
    };
} session;

// ---------------------------------------------------------------------------------------- where blocks and words stand

// Sends the rows that wait: GP_SEARCH_WORDS, or GP_SEARCH_BLOCKS.
static void flush(session *s, uint32_t kind) {
    const size_t row = kind == GP_SEARCH_BLOCKS ? sizeof *s->blocks : sizeof *s->rows;
    gp_search_send(s->stream, (gp_search_message){.kind = kind, .size = (uint32_t)(s->count * row)}, s->rows);
    s->count = 0;
}

static void add(session *s, uint32_t kind, uint32_t thread, uint64_t start, uint64_t end) {
    s->rows[s->count++] = (gp_search_words){kind, thread, start, end};
    if (s->count == ROWS)
        flush(s, GP_SEARCH_WORDS);
}

static void add_words(const gp_root_words *words, void *context) {
    session *s = context;
    const uint32_t flags = (words->next_chunks ? GP_WORDS_NEXT_CHUNKS : 0) | (s->is_passing ? GP_WORDS_PASSING : 0);
    add(s, words->kind | flags, words->thread, words->start, words->end);
    if (s->facts->visit)
        s->facts->visit(words, s->facts->context);
}

extern FILE *_IO_list_all;  // of libc: every open stream, each with the next in _chain

static void add_streams(session *s) {
    enum { STREAMS_MOST = 4096 };
    unsigned left = STREAMS_MOST;
    for (const FILE *stream = _IO_list_all; stream && left > 0; stream = stream->_chain, left--)
        add(s, GP_WORDS_BUFFER, 0, (uintptr_t)stream->_IO_buf_base, (uintptr_t)stream->_IO_buf_end);
}

static void add_thread(session *s, const gp_stopped_thread *thread) {
    static uintptr_t pcs[FRAMES], cfas[FRAMES];
    const size_t count = gp_stack_unwind(thread->at, pcs, cfas, FRAMES);
    const gp_mapping locals = gp_images_thread_locals(thread->thread_pointer);
    for (size_t i = 0; i < count; i++)
        add(s, GP_WORDS_FRAME, thread->id, cfas[i], pcs[i]);
    add(s, GP_WORDS_LOCALS, thread->id, locals.start, locals.end);
    add(s, GP_WORDS_THREAD, thread->id, thread->thread_pointer, 0);
}

static void add_exited_main_stack(session *s) {
    const gp_exited_main_stack *left = gp_exited_main_stack_kept();
    if (!left)
        return;
    add(s, GP_WORDS_MOVED, left->thread, (uintptr_t)left->words, left->low);
    for (size_t i = 0; i < left->frames; i++)
        add(s, GP_WORDS_FRAME, left->thread, left->cfas[i], left->pcs[i]);
}

static void add_threads(session *s) {
    const gp_roots *roots = s->facts->roots;
    add_thread(s, roots->caller);
    for (uint32_t i = 0; i < roots->threads->count; i++) {
        const gp_stopped_thread *thread = &roots->threads->threads[i];
        if (!gp_thread_was_stopped(thread))
            continue;
        add_thread(s, thread);
        add(s, thread->in_kernel ? GP_WORDS_WAITING : GP_WORDS_RUNNING, thread->id, (uint64_t)thread->call, thread->sp);
    }
    add_exited_main_stack(s);
}

// The kernel names the main thread's stack.
static void add_stack(session *s, const gp_stopped_thread *thread) {
    gp_stack_bounds bounds;
    const bool is_main = thread->id == s->facts->roots->process && !gp_thread_stack_has_no_main;
    if (!is_main && thread->thread_pointer && gp_control_block_stack(thread->thread_pointer, &bounds))
        add(s, GP_WORDS_RANGE | GP_RANGE_STACK, thread->id, bounds.low, bounds.low + bounds.size);
}

static void add_mapped(uintptr_t start, uintptr_t end, uint32_t stack, bool is_placed, void *context) {
    const uint32_t kind = GP_RANGE_MAPPED | (is_placed ? GP_RANGE_REFERRED : 0);
    add(context, GP_WORDS_RANGE | kind, stack, start, gp_page_end(end));
}

static void add_allocator(uintptr_t start, uintptr_t end, uint32_t stack, bool is_placed, void *context) {
    (void)stack, (void)is_placed;
    add(context, GP_WORDS_RANGE | GP_RANGE_ALLOCATOR, 0, start, gp_page_end(end));
}

static void add_maker(uintptr_t handle, uintptr_t end, uint32_t stack, bool is_placed, void *context) {
    (void)is_placed;
    add(context, GP_WORDS_MAKER, stack, handle, end);
}

// What parts of the memory are for.
static void add_ranges(session *s) {
    const gp_roots *roots = s->facts->roots;
    add_stack(s, roots->caller);
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (gp_thread_was_stopped(&roots->threads->threads[i]))
            add_stack(s, &roots->threads->threads[i]);
    for (uintptr_t start, end = 0; gp_arena_find(end, UINTPTR_MAX, &start, &end), start < UINTPTR_MAX;)
        add(s, GP_WORDS_RANGE | GP_RANGE_RECORDER, 0, start, end);
    gp_program_mappings_each(add_mapped, s);
    gp_allocator_mappings_each(add_allocator, s);
    gp_program_threads_each(add_maker, s);
}

static bool add_block(const gp_block *block, void *context) {
    session *s = context;
    if (block->address & 15)
        return true;
    const uint32_t type = block->flags & GP_BLOCK_RECORDER ? 0 : gp_block_type(s->stream->thread, block);
    const uint64_t generation = gp_generation_count() ? gp_generation_of(block->address) : 0;
    const uint32_t whose = (block->flags & GP_BLOCK_LOADER ? GP_SEARCH_OF_LOADER : 0) |
                           (block->flags & GP_BLOCK_RECORDER ? GP_SEARCH_OF_RECORDER : 0);
    uint64_t room = 0;
    if (gp_allocator_is_foreign) {
        const uint64_t made = (gp_live_usable_size(block->address) + 15) / 16, asked = (block->size + 15) / 16;
        room = made < asked ? 0 : made - asked < GP_SEARCH_MOST_ROOM ? made - asked : GP_SEARCH_MOST_ROOM;
    }
    s->blocks[s->count++] = (gp_search_block){room << GP_SEARCH_ADDRESS_BITS | block->address,
                                              generation << 56 | block->size, block->stack << 4 | whose, type};
    gp_heap_totals *totals = s->facts->totals;
    totals->blocks++;
    totals->bytes += block->size;
    totals->swift_objects += type != 0;
    if (s->count == BLOCKS)
        flush(s, GP_SEARCH_BLOCKS);
    return true;  // the totals are of all blocks, also where nobody listens any more
}

static void say_where(session *s) {
    const gp_roots *roots = s->facts->roots;
    add_threads(s);
    add_ranges(s);
    add_streams(s);
    gp_roots_each_lasting(roots, add_words, s);
    s->is_passing = true;
    gp_roots_each_passing(roots, add_words, s);
    flush(s, GP_SEARCH_WORDS);
}

// ---------------------------------------------------------------------------------------------------- what is asked for

static void say_what(session *s) {
    const gp_path_request *request = s->facts->request;
    const size_t length = request->patterns ? strlen(request->patterns) : 0;
    if (length > 0 && length <= GP_SEARCH_MOST_SAID)
        gp_search_send(s->stream, (gp_search_message){.kind = GP_SEARCH_PATTERNS, .size = (uint32_t)length},
                       request->patterns);
    for (size_t i = 0; i < request->object_count; i++) {
        const gp_path_target *object = &request->objects[i];
        const gp_search_message message = {.kind = GP_SEARCH_OBJECT,
                                           .size = object->label ? (uint32_t)strlen(object->label) : 0,
                                           .first = ~object->hidden,
                                           .second = object->cause};
        gp_search_send(s->stream, message, object->label);
    }
}

static void say_text(session *s, uint32_t kind, const char *text, uint64_t first) {
    const uint32_t length = text ? (uint32_t)strlen(text) : 0;
    gp_search_send(s->stream, (gp_search_message){.kind = kind, .size = length, .first = first}, text);
}

static void say_rest(session *s) {
    if (!(s->facts->seeks & GP_SEARCH_SEEKS_COUNTS_ALONE)) {
        gp_kernel_texts_send(s->stream);
        say_where(s);
        if (gp_unread_sentence())
            say_text(s, GP_SEARCH_UNREAD, gp_unread_sentence(), 0);
        say_what(s);
    }
    say_text(s, GP_SEARCH_SNAPSHOT, s->facts->name, s->facts->trigger);
    gp_search_send(
        s->stream,
        (gp_search_message){.kind = GP_SEARCH_BEGIN,
                            .first = s->facts->seeks | (gp_allocator_is_foreign ? GP_SEARCH_OTHER_MALLOC : 0),
                            .second = s->facts->roots->process},
        NULL);
}

static void say_blocks(session *s) {
    *s->facts->totals = (gp_heap_totals){0};
    gp_live_each(add_block, s);
    flush(s, GP_SEARCH_BLOCKS);
}

static void say(const gp_heap_facts *facts, gp_search_stream *stream, void (*part)(session *s)) {
    session s = {.facts = facts, .stream = stream, .rows = gp_system_pages(GP_SEARCH_MOST_SAID)};
    stream->failed |= !s.rows;
    if (!s.rows)
        return;
    part(&s);
    gp_system(munmap, s.rows, GP_SEARCH_MOST_SAID);
}

void gp_heap_blocks_send(const gp_heap_facts *facts, gp_search_stream *stream) {
    say(facts, stream, say_blocks);
}

void gp_heap_facts_send(const gp_heap_facts *facts, gp_search_stream *stream) {
    say(facts, stream, say_rest);
}
