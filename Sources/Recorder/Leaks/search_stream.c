#include "search_stream.h"

#include <errno.h>
#include <sys/socket.h>

#include "spool.h"
#include "system.h"
#include "thread.h"
#include "TraceFormat.h"
#include "trace_writer.h"

_Static_assert(sizeof(gp_heap_image) + GP_SEARCH_MOST_SAID <= GP_CHUNK_SIZE - sizeof(gp_chunk_header), "one record");

static void send_bytes(gp_search_stream *stream, const void *bytes, size_t size) {
    for (const unsigned char *at = bytes; size > 0 && !stream->failed;) {
        const long sent = gp_system(sendto, stream->socket, at, size, MSG_NOSIGNAL);
        if (sent == -EINTR)
            continue;
        if (sent <= 0) {
            stream->failed = true;
            return;
        }
        at += sent;
        size -= (size_t)sent;
    }
}

static void write_message(gp_search_stream *stream, gp_search_message message, const void *bytes) {
    gp_heap_image record = {
        .header.kind = GP_HEAP_IMAGE, .kind = message.kind, .first = message.first, .second = message.second};
    gp_write_record(stream->thread, &record, sizeof record, bytes, message.size);
    stream->failed |= stream->thread->writer.stopped || gp_spool_is_full();
    atomic_fetch_add(stream->progress, 1);
}

void gp_search_send(gp_search_stream *stream, gp_search_message message, const void *bytes) {
    if (stream->failed)
        return;
    if (stream->socket < 0) {
        write_message(stream, message, bytes);
        return;
    }
    send_bytes(stream, &message, sizeof message);
    send_bytes(stream, bytes, message.size);
}
