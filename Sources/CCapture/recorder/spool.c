#include "spool.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "system.h"

static gp_file trace = {.descriptor = -1};
static gp_file spool = {.descriptor = -1};
static gp_file_header header;
static gp_spool_header *shared;
static _Atomic uint32_t blocks;

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
        return "The trace file cannot be written: a link or something else than a file stands in its place.";
    case EROFS:
        return "The trace file cannot be written: the file system is read-only.";
    case EMFILE:
    case ENFILE:
        return "The trace file cannot be written: too many files are open.";
    default:
        return "The trace file cannot be written.";
    }
}

static void *map_block(uint64_t block) {
    uint64_t offset = block * GP_CHUNK_SIZE;
    if (gp_file_reserve(&spool, offset, GP_CHUNK_SIZE) < 0)
        return NULL;
    long descriptor = gp_file_descriptor(&spool);
    if (descriptor < 0)
        return NULL;
    long address = gp_system(mmap, 0, GP_CHUNK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
    return address < 0 && address > -4096 ? NULL : (void *)address;
}

// Only what was opened: something else may stand under either name (a link, a folder, a file of another user).
static void remove_files(void) {
    if (trace.descriptor >= 0)
        gp_system(unlink, trace.path);
    if (spool.descriptor >= 0)
        gp_system(unlink, spool.path);
}

const char *gp_spool_open(const char *path) {
    if (!make_absolute(path, trace.path, sizeof trace.path))
        return "The trace file cannot be written: its path is empty or too long.";
    strcpy(spool.path, trace.path);
    strcat(spool.path, ".spool");

    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    header = (gp_file_header){
        .magic = GP_TRACE_MAGIC,
        .version = GP_TRACE_VERSION,
        .header_size = sizeof header,
        .chunk_size = GP_CHUNK_SIZE,
        .start_unix_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec,
        .pid = (uint64_t)gp_system(getpid, 0),
    };
    long error = gp_file_create(&trace);
    if (error == 0)
        error = gp_file_create(&spool);
    if (error == 0)
        error = gp_file_write(&trace, &header, sizeof header, 0);
    if (error == 0)
        gp_system(flock, spool.descriptor, LOCK_EX | LOCK_NB);  // what taken_trace.c asks for
    if (error < 0) {
        remove_files();
        return reason(error);
    }
    shared = map_block(0);
    if (!shared) {
        remove_files();
        return "The trace file cannot be written: the disk is full or too small (64 KiB for each thread are needed).";
    }
    atomic_store(&blocks, 1);
    memcpy(shared->magic, GP_SPOOL_MAGIC, sizeof shared->magic);
    shared->version = GP_TRACE_VERSION;
    shared->next_sequence = 1;
    shared->blocks = 1;
    return NULL;
}

gp_chunk_header *gp_spool_block(void) {
    uint32_t block = atomic_fetch_add(&blocks, 1);
    gp_chunk_header *chunk = map_block(block);
    if (!chunk)
        return NULL;
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
    uint32_t used = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE);
    uint64_t place = chunk->sequence * GP_CHUNK_SIZE;
    if (gp_file_write(&trace, chunk, used, place) == 0)
        return true;
    // A disk that fills up takes a part of the chunk: without its header the block counts as never written.
    static const gp_chunk_header never_written;
    gp_file_write(&trace, &never_written, sizeof never_written, place);
    return false;
}

void gp_spool_drop(uint64_t events) {
    if (shared)
        __atomic_fetch_add(&shared->dropped_events, events, __ATOMIC_RELAXED);
}

void gp_spool_close(bool complete) {
    long descriptor = gp_file_descriptor(&trace);
    if (descriptor >= 0 && complete)
        gp_system(ftruncate, descriptor, shared->next_sequence * GP_CHUNK_SIZE);
    header.dropped_events = shared->dropped_events;
    if (complete)
        header.flags |= GP_FILE_FINISHED;
    gp_file_write(&trace, &header, sizeof header, 0);
    if (complete)
        gp_system(unlink, spool.path);
    gp_file_forget(&trace);
    gp_file_forget(&spool);
}

#ifndef GP_PRELOADED
void gp_spool_report(const char *path, const char *sentence) {
    static const char prefix[] = "gameprof: ";
    (void)path;
    gp_system(write, STDERR_FILENO, prefix, sizeof prefix - 1);
    gp_system(write, STDERR_FILENO, sentence, strlen(sentence));
    gp_system(write, STDERR_FILENO, "\n", 1);
}
#else
void gp_spool_report(const char *path, const char *sentence) {
    static const char suffix[] = ".error";
    char name[4096];
    size_t length = strlen(path);
    if (length + sizeof suffix > sizeof name)
        return;
    memcpy(name, path, length);
    memcpy(name + length, suffix, sizeof suffix);
    long file = gp_system(openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    gp_system(write, file, sentence, strlen(sentence));
    gp_system(write, file, "\n", 1);
    gp_system(close, file);
}
#endif
