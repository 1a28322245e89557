// Memory that the program has not, and that only itself could provide: looked at from outside, it must not be asked for.
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1 << 13)
#endif

enum { PAGE = 4096, SERVED_PAGES = 16 };
static const size_t large = 64ul << 30;

static int faults;
static _Atomic int served;
static char page[PAGE] __attribute__((aligned(PAGE)));
static void **kept;

static int fail(const char *what) {
    printf("not possible: ");
    fflush(stdout);
    perror(what);
    return 0;
}

static void *serve(void *unused) {
    struct uffd_msg message;
    while (read(faults, &message, sizeof message) == sizeof message) {
        struct uffdio_copy copy = {
            .dst = message.arg.pagefault.address & -(size_t)PAGE, .src = (size_t)page, .len = PAGE};
        served += ioctl(faults, UFFDIO_COPY, &copy) == 0;
    }
    return unused;
}

// Pages that the program itself provides; with `marks` the kernel notes something for each, as for a page in swap.
static int provide(int marks) {
    faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    struct uffdio_api api = {.api = UFFD_API, .features = marks ? UFFD_FEATURE_WP_UNPOPULATED : 0};
    if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0)
        return fail("userfaultfd");
    void *memory = mmap(NULL, SERVED_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct uffdio_range range = {.start = (size_t)memory, .len = SERVED_PAGES * PAGE};
    struct uffdio_register whole = {.range = range,
                                    .mode = UFFDIO_REGISTER_MODE_MISSING | (marks ? UFFDIO_REGISTER_MODE_WP : 0)};
    struct uffdio_writeprotect protection = {.range = range, .mode = UFFDIO_WRITEPROTECT_MODE_WP};
    if (ioctl(faults, UFFDIO_REGISTER, &whole) != 0 || (marks && ioctl(faults, UFFDIO_WRITEPROTECT, &protection) != 0))
        return fail("userfaultfd");
    pthread_t thread;
    return pthread_create(&thread, NULL, serve, NULL) == 0;
}

// Memory in whose midst one page was written.
static int reserve(int file) {
    const int flags = MAP_PRIVATE | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
    char *memory = mmap(NULL, large, PROT_READ | PROT_WRITE, flags, file, 0);
    if (memory == MAP_FAILED)
        return fail("mmap");
    kept = (void **)(memory + large / 2);
    *kept = malloc(1000);
    memset(*kept, 7, 1000);
    return 1;
}

static int sparse_file(void) {
    char name[] = "/tmp/gameprof-sparse-XXXXXX";
    const int file = mkstemp(name);
    if (file < 0 || unlink(name) != 0 || ftruncate(file, (off_t)large) != 0)
        return fail(name);
    return reserve(file);
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    const int is_ready = strcmp(what, "provided") == 0 ? provide(0)
                         : strcmp(what, "marked") == 0 ? provide(1)
                         : strcmp(what, "sparse") == 0 ? sparse_file()
                                                       : reserve(-1);
    if (!is_ready)
        return 0;
    printf("waiting\n");
    fflush(stdout);
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    printf("served %d\n", served);
    return 0;
}
