#include "search_service.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "exited_main_stack.h"
#include "freeze.h"
#include "images.h"
#include "live_entry.h"
#include "live_table.h"
#include "memory_map.h"
#include "read_clock.h"
#include "safe_read.h"
#include "stack.h"
#include "stale_filters.h"
#include "stale_words.h"
#include "swift_types.h"
#include "system.h"
#include "TraceFormat.h"
#include "trace_writer.h"

enum {
    LOOK_MS = 1000,
    MOST_SILENT_LOOKS = 60,
    ROWS = GP_SEARCH_MOST / sizeof(gp_search_words),
    BLOCKS = GP_SEARCH_MOST / sizeof(gp_search_block),
    FRAMES = 1024
};

typedef struct {
    const gp_search_service *service;
    long socket;
    bool failed;
    bool has_written;
    bool is_passing;
    size_t count;  // rows or blocks that wait to be sent
    union {
        gp_search_words *rows;
        gp_search_block *blocks;
    };
    unsigned char *bytes;  // of the message that was received last
    unsigned char *answer;
} session;

// ---------------------------------------------------------------------------------------------------------- the stream

static void send_bytes(session *s, const void *bytes, size_t size) {
    for (const unsigned char *at = bytes; size > 0 && !s->failed;) {
        const long sent = gp_system(sendto, s->socket, at, size, MSG_NOSIGNAL);
        if (sent == -EINTR)
            continue;
        if (sent <= 0) {
            s->failed = true;
            return;
        }
        at += sent;
        size -= (size_t)sent;
    }
}

static void send_message(session *s, gp_search_message message, const void *bytes) {
    send_bytes(s, &message, sizeof message);
    send_bytes(s, bytes, message.size);
}

static void answer(session *s, const void *bytes, size_t size) {
    send_message(s, (gp_search_message){.kind = GP_SEARCH_ANSWER, .size = (uint32_t)size}, bytes);
}

// A searcher that is silent for a minute has stopped. What it does meanwhile counts as progress of this process.
static bool await_bytes(session *s) {
    for (unsigned looks = 0; looks < MOST_SILENT_LOOKS; looks++) {
        struct pollfd poll = {.fd = (int)s->socket, .events = POLLIN};
        const struct timespec limit = gp_timespec(LOOK_MS * (uint64_t)GP_MILLISECOND_NS);
        const long ready = gp_system(ppoll, &poll, 1, &limit, NULL, 0);
        atomic_fetch_add(s->service->progress, 1);
        if (ready > 0)
            return true;
        if (ready < 0 && ready != -EINTR)
            return false;
    }
    return false;
}

static bool receive_bytes(session *s, void *bytes, size_t size) {
    for (unsigned char *at = bytes; size > 0 && !s->failed;) {
        const long received = await_bytes(s) ? gp_system(recvfrom, s->socket, at, size, MSG_DONTWAIT) : 0;
        if (received == -EINTR || received == -EAGAIN)
            continue;
        if (received <= 0) {
            s->failed = true;
            break;
        }
        at += received;
        size -= (size_t)received;
    }
    return !s->failed;
}

static long connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    if (path[0] == '@')
        address.sun_path[0] = 0;  // a name that is no file's
    const long socket = gp_system(socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
        return socket;
    const long connected = gp_system(connect, socket, &address, sizeof address);
    if (connected < 0)
        gp_system(close, socket);
    return connected < 0 ? connected : socket;
}

// ---------------------------------------------------------------------------------------- where blocks and words stand

// Sends the rows that wait: GP_SEARCH_WORDS, or GP_SEARCH_BLOCKS.
static void flush(session *s, uint32_t kind) {
    const size_t row = kind == GP_SEARCH_BLOCKS ? sizeof *s->blocks : sizeof *s->rows;
    send_message(s, (gp_search_message){.kind = kind, .size = (uint32_t)(s->count * row)}, s->rows);
    s->count = 0;
}

static void add(session *s, uint32_t kind, uint32_t thread, uint64_t start, uint64_t end) {
    s->rows[s->count++] = (gp_search_words){kind, thread, start, end};
    if (s->count == ROWS)
        flush(s, GP_SEARCH_WORDS);
}

static bool is_running(const gp_roots *roots, uint32_t id) {
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (roots->threads->threads[i].id == id)
            return gp_thread_was_stopped(&roots->threads->threads[i]) && !roots->threads->threads[i].runs_no_code;
    return false;
}

static void add_words(const gp_root_words *words, void *context) {
    session *s = context;
    const bool runs = s->is_passing && is_running(s->service->roots, words->thread);
    const uint32_t flags = (words->next_chunks ? GP_WORDS_NEXT_CHUNKS : 0) | (s->is_passing ? GP_WORDS_PASSING : 0) |
                           (runs ? GP_WORDS_RUNNING : 0);
    add(s, words->kind | flags, words->thread, words->start, words->end);
}

static void add_stale(uint32_t block, void *context) {
    add(context, GP_WORDS_STALE, 0, block, 0);
}

static void add_table(uintptr_t start, uintptr_t end, void *context) {
    add(context, GP_WORDS_TABLE, 0, start, end);
}

static void add_room(session *s) {
    const gp_block_index *index = s->service->roots->index;
    const uint64_t *room = gp_stale_room_find(s->service->roots);
    for (uint32_t block = 0; room && block < index->count; block++)
        if (gp_set_has(room, block))
            add(s, GP_WORDS_ROOM, 0, block, 0);
}

static void add_thread(session *s, const gp_stopped_thread *thread) {
    static uintptr_t pcs[FRAMES], cfas[FRAMES];
    const size_t count = gp_stack_unwind(thread->at, pcs, cfas, FRAMES);
    const gp_mapping locals = gp_images_thread_locals(thread->thread_pointer);
    for (size_t i = 0; i < count; i++)
        add(s, GP_WORDS_FRAME, thread->id, cfas[i], gp_frame_owner(pcs, i, count));
    add(s, GP_WORDS_LOCALS, thread->id, locals.start, locals.end);
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
    const gp_roots *roots = s->service->roots;
    add_thread(s, roots->caller);
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (gp_thread_was_stopped(&roots->threads->threads[i]))
            add_thread(s, &roots->threads->threads[i]);
    add_exited_main_stack(s);
}

static bool add_block(const gp_block *block, void *context) {
    session *s = context;
    if (block->address & 15)
        return true;
    const gp_live_entry *entry = gp_live_find(block->address);
    s->blocks[s->count++] = (gp_search_block){block->address, entry ? *entry : 0};
    if (s->count == BLOCKS)
        flush(s, GP_SEARCH_BLOCKS);
    return !s->failed;
}

static void say_where(session *s) {
    const gp_roots *roots = s->service->roots;
    gp_live_each(add_block, s);
    flush(s, GP_SEARCH_BLOCKS);
    add_threads(s);
    gp_dispatch_cache_each(roots, add_stale, s);
    gp_runtime_tables_each(add_table, s);
    add_room(s);
    gp_roots_each_lasting(roots, add_words, s);
    s->is_passing = true;
    gp_roots_each_passing(roots, add_words, s);
    flush(s, GP_SEARCH_WORDS);
}

// ---------------------------------------------------------------------------------------------------- what is asked for

static void say_what(session *s) {
    const gp_search_service *service = s->service;
    const gp_path_request *request = service->request;
    const size_t length = request->patterns ? strlen(request->patterns) : 0;
    if (length > 0 && length <= GP_SEARCH_MOST)
        send_message(s, (gp_search_message){.kind = GP_SEARCH_PATTERNS, .size = (uint32_t)length}, request->patterns);
    for (size_t i = 0; i < request->object_count; i++) {
        const gp_path_target *object = &request->objects[i];
        const gp_search_message message = {.kind = GP_SEARCH_OBJECT,
                                           .size = object->label ? (uint32_t)strlen(object->label) : 0,
                                           .first = ~object->hidden,
                                           .second = object->cause};
        send_message(s, message, object->label);
    }
    for (size_t i = 0; i < request->growing_count; i++) {
        const gp_count_row *row = &request->growing[i];
        const uint64_t metadata = row->type ? gp_type_metadata(row->type) : 0;
        if (metadata || !row->type)
            send_message(s, (gp_search_message){.kind = GP_SEARCH_GROWING, .first = metadata, .second = row->stack},
                         NULL);
    }
    send_message(
        s,
        (gp_search_message){.kind = GP_SEARCH_BEGIN, .first = service->seeks, .second = service->roots->index->count},
        NULL);
}

// ------------------------------------------------------------------------------------------------------------- requests

// Up to the first page that cannot be read.
static uint32_t readable(uint64_t address, uint64_t size) {
    uint64_t length = 0;
    if (size > GP_SEARCH_MOST || address > UINT64_MAX - size)
        return 0;
    while (length < size && gp_is_readable(address + length)) {
        const uint64_t page_end = gp_page_end(address + length + 1) - address;
        length = page_end < size ? page_end : size;
    }
    return (uint32_t)length;
}

static void answer_types(session *s, size_t size) {
    const uint64_t *metadata = (const uint64_t *)s->bytes;
    uint32_t *ids = (uint32_t *)s->answer;
    const size_t count = size / sizeof *metadata;
    for (size_t i = 0; i < count; i++)
        ids[i] = gp_type_id(s->service->thread, metadata[i], SIZE_MAX);
    answer(s, ids, count * sizeof *ids);
}

static void write_records(session *s, size_t size) {
    s->has_written = true;
    for (size_t at = 0; sizeof(gp_record_header) <= size - at;) {
        gp_record_header *record = (gp_record_header *)(s->bytes + at);
        const size_t whole = (size_t)record->cells * GP_CELL_SIZE;
        if (record->size < sizeof *record || record->size > whole || whole > size - at)
            return;
        gp_write_record(s->service->thread, record, record->size, NULL, 0);
        at += whole;
    }
}

static bool take_result(session *s, const gp_search_message *message) {
    gp_search_service_outcome *outcome = s->service->outcome;
    if (message->kind == GP_SEARCH_DONE && message->size == sizeof outcome->result) {
        memcpy(&outcome->result, s->bytes, sizeof outcome->result);
        outcome->is_known = true;
    } else {
        snprintf(outcome->failure, sizeof outcome->failure, "%.*s", (int)message->size, (const char *)s->bytes);
    }
    return false;
}

// False: that was the last one.
static bool serve(session *s) {
    gp_search_message message;
    if (!receive_bytes(s, &message, sizeof message) || message.size > GP_SEARCH_MOST ||
        !receive_bytes(s, s->bytes, message.size))
        return false;
    switch (message.kind) {
    case GP_SEARCH_READ:
        answer(s, (const void *)message.first, readable(message.first, message.second));
        return true;
    case GP_SEARCH_TYPES:
        answer_types(s, message.size);
        return true;
    case GP_SEARCH_RECORDS:
        write_records(s, message.size);
        return true;
    case GP_SEARCH_PROGRESS:
        return true;
    default:
        return take_result(s, &message);
    }
}

bool gp_search_serve(const gp_search_service *service, const char *path) {
    session s = {.service = service, .socket = connect_to(path)};
    if (s.socket < 0)
        return false;
    s.rows = gp_system_pages(GP_SEARCH_MOST);
    s.bytes = gp_system_pages(GP_SEARCH_MOST);
    s.answer = gp_system_pages(GP_SEARCH_MOST);
    s.failed = !s.rows || !s.bytes || !s.answer;
    if (!s.failed)
        say_where(&s);
    const char *unread = s.failed ? NULL : gp_unread_sentence();
    if (unread) {
        snprintf(service->outcome->failure, sizeof service->outcome->failure, "%s", unread);
        s.failed = true;
    }
    if (!s.failed)
        say_what(&s);
    while (!s.failed && serve(&s))
        ;
    gp_system(close, s.socket);
    gp_search_service_outcome *outcome = service->outcome;
    // Another search would write once more what stands in the trace already.
    if (s.has_written && !outcome->is_known && !outcome->failure[0])
        strcpy(outcome->failure, "the tool that searched the heap has ended");
    return outcome->is_known || outcome->failure[0];
}
