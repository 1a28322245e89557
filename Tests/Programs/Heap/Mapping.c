// The mapping around an address: as this kernel reports it, and where it cannot be asked for one alone.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "Check.h"
#include "mapping.h"

enum { PAGE = 4096, ROWS = 500 };

static uintptr_t rows;

// Rows of three pages: one that can be read, two that cannot.
static void map(void) {
    rows = (uintptr_t)mmap(NULL, 3 * PAGE * ROWS, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (uintptr_t i = 0; i < ROWS; i++)
        CHECK(mprotect((void *)(rows + 3 * PAGE * i), PAGE, PROT_READ) == 0);
}

static void look(void) {
    gp_mapping mapping;
    for (uintptr_t i = 0; i < ROWS; i += 7) {
        uintptr_t start = rows + 3 * PAGE * i;
        CHECK(gp_mapping_containing(start + PAGE - 1, &mapping));
        CHECK(mapping.start == start && mapping.end == start + PAGE);
        CHECK(gp_mapping_containing(start + PAGE, &mapping));
        CHECK(mapping.start == start + PAGE && mapping.end == start + 3 * PAGE);
    }
    CHECK(gp_mapping_containing((uintptr_t)&mapping, &mapping));
    CHECK(mapping.start <= (uintptr_t)&mapping && (uintptr_t)&mapping < mapping.end);
    CHECK(!gp_mapping_containing(16, &mapping));
}

static void forbid_questions(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOTTY),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

int main(void) {
    map();
    look();
    forbid_questions();
    look();
    puts("passed");
}
