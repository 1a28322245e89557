#include "spool.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "recording_state.h"
#include "read_clock.h"
#include "system.h"

static gp_file trace = {.descriptor = -1};
static gp_file spool = {.descriptor = -1};
static gp_file_header header;
static gp_spool_header *shared;
static _Atomic uint32_t blocks;
static gp_file tool = {.descriptor = -1};  // locked by the tool as long as it runs; no path: nobody waits for the trace
static uint64_t max_chunks;
static _Atomic bool limit_is_lifted;
static _Atomic uint32_t rooms_asked;
static _Atomic bool is_closed;  // a thread that comes late writes nothing any more
static bool outlives_tool;

enum { GP_CHUNKS_BETWEEN_LOOKS = 16 };  // at the tool: 1 MiB
static const uint64_t GP_SIZE_MOST = 1ull << 60;

static bool make_absolute(const char *path, char *absolute, size_t capacity) {
    size_t folder = 0;
    if (path[0] != '/') {
        long length = gp_system(getcwd, absolute, capacity - 1);
        if (length <= 1)
            return false;
        folder = (size_t)length - 1;
        absolute[folder++] = '/';
    }
    size_t length = strlen(path);
    if (length == 0 || folder + length + sizeof ".spool" > capacity)
        return false;
    memcpy(absolute + folder, path, length + 1);
    return true;
}

static const char *reason(long error) {
    switch (-error) {
    case EACCES:
    case EPERM:
        return "The trace file cannot be written: permission denied.";
    case ENOENT:
        return "The trace file cannot be written: its folder does not exist.";
    case ENOSPC:
    case EDQUOT:
        return "The trace file cannot be written: the disk is full.";
    case EFBIG:
        return "The trace file cannot be written: the limit on file size is too small (ulimit -f).";
    case ELOOP:
    case ESTALE:
        return "The trace file cannot be written: its path is a link, leads through another user's link, or is not a "
               "regular file.";
    case EROFS:
        return "The trace file cannot be written: the file system is read-only.";
    case EMFILE:
    case ENFILE:
        return "The trace file cannot be written: too many files are open.";
    default:
        return "The trace file cannot be written.";
    }
}

// The address of the block, or a negative errno.
static long map_block(uint64_t block) {
    uint64_t offset = block * GP_CHUNK_SIZE;
    long error = gp_file_reserve(&spool, offset, GP_CHUNK_SIZE);
    if (error < 0)
        return error;
    long descriptor = gp_file_descriptor(&spool);
    if (descriptor < 0)
        return descriptor;
    return gp_system_map(GP_CHUNK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
}

static bool is_error(long result) {
    return result < 0 && result > -4096;
}

// The first reason stays.
static void stop(uint32_t reason) {
    uint32_t none = GP_STOPPED_NOT;
    __atomic_compare_exchange_n(&shared->stopped, &none, reason, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void stop_for(long error) {
    switch (-error) {
    case ENOSPC:
    case EDQUOT:
        return stop(GP_STOPPED_DISK_FULL);
    case EFBIG:
        return stop(GP_STOPPED_FILE_LIMIT);
    default:
        return stop(GP_STOPPED_OTHERWISE);
    }
}

// Without the file nobody waits for the trace, unless the tool has said that it made one.
static void find_tool(const char *trace, bool is_announced) {
    static const char suffix[] = ".tool";
    size_t length = trace ? strlen(trace) : 0;
    if (tool.path[0] || length == 0 || length + sizeof suffix > sizeof tool.path)
        return;
    memcpy(tool.path, trace, length);
    memcpy(tool.path + length, suffix, sizeof suffix);
    const long error = gp_file_open(&tool);
    if (error < 0 && !(error == -ENOENT && is_announced))
        tool.path[0] = 0;
}

// The kernel gives up the tool's lock with the tool, however it ends; one that ends by itself removes the file. Where locks
// do not work it counts as living.
static bool tool_is_gone(void) {
    if (!tool.path[0])
        return false;
    long descriptor = gp_file_descriptor(&tool);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return descriptor == -ENOENT ||
           (descriptor >= 0 && gp_system(fcntl, descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
}

bool gp_spool_tool_is_gone(const char *asked, bool is_announced) {
    find_tool(asked, is_announced);
    const bool is_gone = tool_is_gone();
    if (is_gone)
        gp_file_forget(&tool);
    return is_gone;
}

bool gp_spool_is_abandoned(void) {
    return shared && __atomic_load_n(&shared->stopped, __ATOMIC_RELAXED) == GP_STOPPED_TOOL_GONE;
}

void gp_spool_outlive_tool(void) {
    outlives_tool = true;
}

static void look_for_tool(void) {
    if (!tool_is_gone())
        return;
    __atomic_store_n(&shared->stopped, GP_STOPPED_TOOL_GONE, __ATOMIC_RELAXED);
    if (!outlives_tool)
        gp_recording_set(GP_RECORDING_OFF);
}

bool gp_spool_lift_limit(void) {
    atomic_store(&limit_is_lifted, true);
    if (shared)
        look_for_tool();
    return shared && __atomic_load_n(&shared->stopped, __ATOMIC_RELAXED) == GP_STOPPED_BY_SIZE;
}

void gp_spool_restore_limit(void) {
    atomic_store(&limit_is_lifted, false);
}

bool gp_spool_is_full(void) {
    return max_chunks && shared && __atomic_load_n(&shared->next_sequence, __ATOMIC_RELAXED) >= max_chunks;
}

bool gp_spool_has_room(void) {
    if (atomic_load(&is_closed))
        return false;
    if (atomic_load(&limit_is_lifted))
        return true;
    if (atomic_fetch_add(&rooms_asked, 1) % GP_CHUNKS_BETWEEN_LOOKS == 0)
        look_for_tool();
    if (gp_spool_is_abandoned())
        return false;
    if (gp_spool_is_full()) {
        stop(GP_STOPPED_BY_SIZE);
        return false;
    }
    return true;
}

// Only what was opened: something else may stand under either name (a link, a folder, a file of another user).
static void remove_files(void) {
    if (trace.descriptor >= 0)
        gp_system(unlinkat, AT_FDCWD, trace.path, 0);
    if (spool.descriptor >= 0)
        gp_system(unlinkat, AT_FDCWD, spool.path, 0);
    gp_file_forget(&trace);
    gp_file_forget(&spool);
    gp_file_forget(&tool);
}

// How many chunks the trace may have, the first block included; 0: any number.
static uint64_t chunks_of(const char *max_size) {
    if (!max_size || *max_size < '0' || *max_size > '9')
        return GP_TRACE_MOST / GP_CHUNK_SIZE;
    uint64_t bytes = 0;
    for (; *max_size >= '0' && *max_size <= '9'; max_size++)
        bytes = bytes < GP_SIZE_MOST ? bytes * 10 + (uint64_t)(*max_size - '0') : GP_SIZE_MOST;
    const unsigned shift = *max_size == 'K' ? 10 : *max_size == 'M' ? 20 : *max_size == 'G' ? 30 : 0;
    bytes = bytes < GP_SIZE_MOST >> shift ? bytes << shift : GP_SIZE_MOST;
    return bytes ? bytes / GP_CHUNK_SIZE + 1 : 0;
}

const char *gp_spool_trace_path(void) {
    return trace.path;
}

const char *gp_spool_open(const char *path, const char *max_size, const char *asked) {
    if (!make_absolute(path, trace.path, sizeof trace.path))
        return "The trace file cannot be written: its path is empty or too long.";
    strcpy(spool.path, trace.path);
    strcat(spool.path, ".spool");

    header = (gp_file_header){
        .magic = GP_TRACE_MAGIC,
        .version = GP_TRACE_VERSION,
        .header_size = sizeof header,
        .chunk_size = GP_CHUNK_SIZE,
        .start_unix_ns = gp_read_clock(CLOCK_REALTIME),
        .pid = (uint64_t)gp_system(getpid, 0),
    };
    long error = gp_file_create(&trace);
    if (error == 0)
        error = gp_file_create(&spool);
    if (error == 0)
        error = gp_file_write(&trace, &header, sizeof header, 0);
    if (error == 0)
        gp_system(flock, spool.descriptor, LOCK_EX | LOCK_NB);  // what taken_trace.c asks for
    if (error == 0)
        error = map_block(0);
    if (is_error(error)) {
        remove_files();
        return reason(error);
    }
    shared = (gp_spool_header *)error;
    max_chunks = chunks_of(max_size);
    find_tool(asked, false);
    atomic_store(&blocks, 1);
    memcpy(shared->magic, GP_SPOOL_MAGIC, sizeof shared->magic);
    shared->version = GP_TRACE_VERSION;
    shared->next_sequence = 1;
    shared->blocks = 1;
    return NULL;
}

void gp_spool_leave(void) {
    gp_file_forget(&trace);
    gp_file_forget(&spool);
    gp_system(munmap, shared, GP_CHUNK_SIZE);
    shared = NULL;
}

void gp_spool_begin_again(void) {
    if (shared)
        gp_spool_leave();
    tool = (gp_file){.descriptor = -1};
    atomic_store(&limit_is_lifted, false);
    atomic_store(&rooms_asked, 0);
    atomic_store(&is_closed, false);
}

gp_chunk_header *gp_spool_block(gp_chunk_header *place) {
    uint32_t block = atomic_fetch_add(&blocks, 1);
    long address = map_block(block);
    if (!is_error(address) && place)
        address = gp_system(mremap, address, GP_CHUNK_SIZE, GP_CHUNK_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, place);
    if (is_error(address)) {
        stop_for(address);
        return NULL;
    }
    gp_chunk_header *chunk = (gp_chunk_header *)address;
    uint32_t known = __atomic_load_n(&shared->blocks, __ATOMIC_RELAXED);
    while (known < block + 1 && !__atomic_compare_exchange_n(&shared->blocks, &known, block + 1, false,
                                                             __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    return chunk;
}

uint64_t gp_spool_next_sequence(void) {
    return __atomic_fetch_add(&shared->next_sequence, 1, __ATOMIC_RELAXED);
}

bool gp_spool_write(const gp_chunk_header *chunk) {
    if (atomic_load(&is_closed))
        return false;
    uint32_t used = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE);
    uint64_t place = chunk->sequence * GP_CHUNK_SIZE;
    long error = gp_file_write(&trace, chunk, used, place);
    if (error == 0)
        return true;
    stop_for(error);
    // A disk that fills up takes a part of the chunk: without its header the block counts as never written.
    static const gp_chunk_header never_written;
    gp_file_write(&trace, &never_written, sizeof never_written, place);
    return false;
}

void gp_spool_drop(uint64_t events) {
    if (shared)
        __atomic_fetch_add(&shared->dropped_events, events, __ATOMIC_RELAXED);
}

// Makes the last chunk a whole one. Where the file may not be so large, the limit lies in the part of it that is not used.
static bool fill_up(void) {
    const long error = gp_file_set_size(&trace, shared->next_sequence * GP_CHUNK_SIZE);
    return error == 0 || error == -EFBIG;
}

void gp_spool_close(bool complete) {
    atomic_store(&is_closed, true);
    complete = complete && shared->stopped == GP_STOPPED_NOT && fill_up();
    header.dropped_events = shared->dropped_events;
    if (complete)
        header.flags |= GP_FILE_FINISHED;
    gp_file_write(&trace, &header, sizeof header, 0);
    if (complete)
        gp_system(unlinkat, AT_FDCWD, spool.path, 0);
    gp_file_forget(&trace);
    gp_file_forget(&spool);
    gp_file_forget(&tool);
}

void gp_spool_discard(void) {
    atomic_store(&is_closed, true);
    remove_files();
}

static void report_to(int file, const char *prefix, const char *sentence) {
    gp_file_append_text(file, prefix, strlen(prefix));
    gp_file_append_text(file, sentence, strlen(sentence));
    gp_file_append_text(file, "\n", 1);
}

void gp_spool_report(const char *path, const char *sentence) {
    if (!path) {
        report_to(STDERR_FILENO, "gameprof: ", sentence);
        return;
    }
    static const char suffix[] = ".error";
    char name[4096];
    size_t length = strlen(path);
    if (length + sizeof suffix > sizeof name)
        return;
    memcpy(name, path, length);
    memcpy(name + length, suffix, sizeof suffix);
    gp_system(unlinkat, AT_FDCWD, name, 0);
    long file = gp_system(openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    report_to((int)file, "", sentence);
    gp_system(close, file);
}
