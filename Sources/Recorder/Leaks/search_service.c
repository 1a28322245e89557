#include "search_service.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "read_clock.h"
#include "safe_read.h"
#include "swift_types.h"
#include "system.h"
#include "TraceFormat.h"
#include "trace_writer.h"

enum { LOOK_MS = 1000, MOST_SILENT_LOOKS = 60 };

typedef struct {
    const gp_search_service *service;
    gp_search_stream stream;
    bool has_written;
    unsigned char *bytes;  // of the message that was received last
    unsigned char *answer;
} session;

static void answer(session *s, const void *bytes, size_t size) {
    gp_search_send(&s->stream, (gp_search_message){.kind = GP_SEARCH_ANSWER, .size = (uint32_t)size}, bytes);
}

// A searcher that is silent for a minute has stopped. What it does meanwhile counts as progress of this process.
static bool await_bytes(session *s) {
    for (unsigned looks = 0; looks < MOST_SILENT_LOOKS; looks++) {
        struct pollfd poll = {.fd = (int)s->stream.socket, .events = POLLIN};
        const struct timespec limit = gp_timespec(LOOK_MS * (uint64_t)GP_MILLISECOND_NS);
        const long ready = gp_system(ppoll, &poll, 1, &limit, NULL, 0);
        atomic_fetch_add(s->stream.progress, 1);
        if (ready > 0)
            return true;
        if (ready < 0 && ready != -EINTR)
            return false;
    }
    return false;
}

static bool receive_bytes(session *s, void *bytes, size_t size) {
    for (unsigned char *at = bytes; size > 0 && !s->stream.failed;) {
        const long received = await_bytes(s) ? gp_system(recvfrom, s->stream.socket, at, size, MSG_DONTWAIT) : 0;
        if (received == -EINTR || received == -EAGAIN)
            continue;
        if (received <= 0) {
            s->stream.failed = true;
            break;
        }
        at += received;
        size -= (size_t)received;
    }
    return !s->stream.failed;
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
        ids[i] = gp_type_id(s->stream.thread, metadata[i], SIZE_MAX);
    answer(s, ids, count * sizeof *ids);
}

static void write_records(session *s, size_t size) {
    s->has_written = true;
    for (size_t at = 0; sizeof(gp_record_header) <= size - at;) {
        gp_record_header *record = (gp_record_header *)(s->bytes + at);
        const size_t whole = (size_t)record->cells * GP_CELL_SIZE;
        if (record->size < sizeof *record || record->size > whole || whole > size - at)
            return;
        gp_write_record(s->stream.thread, record, record->size, NULL, 0);
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
    case GP_SEARCH_UNABLE:
        return false;
    default:
        return take_result(s, &message);
    }
}

bool gp_search_serve(const gp_search_service *service, const char *path) {
    session s = {.service = service, .stream = service->stream};
    s.stream.socket = connect_to(path);
    if (s.stream.socket < 0)
        return false;
    s.bytes = gp_system_pages(GP_SEARCH_MOST);
    s.answer = gp_system_pages(GP_SEARCH_MOST);
    s.stream.failed = !s.bytes || !s.answer;
    gp_heap_blocks_send(service->facts, &s.stream);
    gp_heap_facts_send(service->facts, &s.stream);
    while (!s.stream.failed && serve(&s))
        ;
    gp_system(close, s.stream.socket);
    gp_search_service_outcome *outcome = service->outcome;
    // Another search would write once more what stands in the trace already.
    if (s.has_written && !outcome->is_known && !outcome->failure[0])
        strcpy(outcome->failure, "the tool that searched the heap has ended");
    return outcome->is_known || outcome->failure[0];
}
