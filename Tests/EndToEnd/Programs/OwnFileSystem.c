// Maps a file of a file system that it serves itself, writes to one page of it, and says how often it was asked for others after
// it had begun to wait.
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, FILE_NODE = 2, FILE_BYTES = 4 << 20 };

static int kernel;
static _Atomic int reads;
static char request[1 << 20], contents[1 << 17];

static void answer(const struct fuse_in_header *in, int error, const void *data, size_t count) {
    struct fuse_out_header out = {.len = (uint32_t)(sizeof out + count), .error = error, .unique = in->unique};
    struct iovec parts[] = {{&out, sizeof out}, {(void *)data, count}};
    if (writev(kernel, parts, 2) < 0 && errno != ENOENT)
        _exit(3);
}

static struct fuse_attr attributes(uint64_t node) {
    return (struct fuse_attr){.ino = node,
                              .size = node == FILE_NODE ? FILE_BYTES : 0,
                              .mode = node == FILE_NODE ? S_IFREG | 0600 : S_IFDIR | 0700,
                              .nlink = 1};
}

static void handle(const struct fuse_in_header *in) {
    const void *const body = in + 1;
    switch (in->opcode) {
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
        return;
    case FUSE_INIT: {
        struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = PAGE, .time_gran = 1};
        answer(in, 0, &out, sizeof out);
        return;
    }
    case FUSE_LOOKUP: {
        struct fuse_entry_out out = {.nodeid = FILE_NODE, .attr = attributes(FILE_NODE)};
        const int is_there = strcmp(body, "file") == 0;
        answer(in, is_there ? 0 : -ENOENT, &out, is_there ? sizeof out : 0);
        return;
    }
    case FUSE_GETATTR: {
        struct fuse_attr_out out = {.attr = attributes(in->nodeid)};
        answer(in, 0, &out, sizeof out);
        return;
    }
    case FUSE_OPEN: {
        struct fuse_open_out out = {0};
        answer(in, 0, &out, sizeof out);
        return;
    }
    case FUSE_READ: {
        const struct fuse_read_in *asked = body;
        reads++;
        answer(in, 0, contents, asked->size < sizeof contents ? asked->size : sizeof contents);
        return;
    }
    case FUSE_RELEASE:
    case FUSE_FLUSH:
        answer(in, 0, NULL, 0);
        return;
    default:
        answer(in, -ENOSYS, NULL, 0);
    }
}

static void *serve(void *unused) {
    while (read(kernel, request, sizeof request) > 0)
        handle((const void *)request);
    return unused;
}

static int fail(const char *what) {
    printf("not possible: %s: %s\n", what, strerror(errno));
    return 0;
}

int main(void) {
    char folder[] = "/tmp/gameprof-own-XXXXXX", path[64], options[96], line[16];
    // The mount goes with the process.
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || !mkdtemp(folder))
        return fail("namespace");
    kernel = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%d,group_id=%d", kernel, getuid(), getgid());
    if (kernel < 0 || mount("own", folder, "fuse", MS_NOSUID | MS_NODEV, options) != 0) {
        rmdir(folder);
        return fail("/dev/fuse");
    }
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    snprintf(path, sizeof path, "%s/file", folder);
    const int file = open(path, O_RDWR);
    char *memory = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (file < 0 || memory == MAP_FAILED)
        return fail(path);
    // Whoever ends with it open waits for a thread that is no more.
    close(file);
    void **kept = (void **)(memory + FILE_BYTES / 2);
    *kept = calloc(1, 1000);
    const int before = reads;
    printf("waiting\n");
    fflush(stdout);
    const int is_told = fgets(line, sizeof line, stdin) != NULL;
    printf("asked %d\n", reads - before);
    fflush(stdout);
    umount2(folder, MNT_DETACH);
    rmdir(folder);
    // The thread waits for the kernel.
    _exit(is_told ? 0 : 1);
}
