// Uses deallocated blocks under a filter of system calls that forbids what guarded pages need.
// Filtered errno|trap|kill late|syscall|start: set while blocks are guarded, by prctl or by seccomp(2), or before an exec.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCKS = 400, SIZE = 64, PROTECTION = 2 };

static char *volatile blocks[BLOCKS], *volatile old[BLOCKS];

static void forbid(const char *way, int by_call, int of_pages_out_of_reach_alone) {
    const unsigned action = !strcmp(way, "errno")  ? SECCOMP_RET_ERRNO | EPERM
                            : !strcmp(way, "trap") ? SECCOMP_RET_TRAP
                                                   : SECCOMP_RET_KILL_PROCESS;
    // What the loader itself asks for before main, memory that can be read, is permitted to a program that is started.
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[PROTECTION])),
        BPF_JUMP(BPF_JMP | (of_pages_out_of_reach_alone ? BPF_JEQ : BPF_JGE) | BPF_K, 0, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    rules[1].jf = 3;
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        (by_call ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
                 : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) != 0)
        exit(2);
}

static void make_and_free(void) {
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(SIZE);
        memset(blocks[i], 7, SIZE);
    }
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
}

int main(int count, char **arguments) {
    if (count > 2 && !strcmp(arguments[2], "start")) {
        forbid(arguments[1], 0, 1);
        execl(arguments[0], arguments[0], "run", NULL);
    }
    make_and_free();
    for (int i = 0; i < BLOCKS; i++)
        old[i] = blocks[i];
    if (count > 2)
        forbid(arguments[1], !strcmp(arguments[2], "syscall"), 0);
    int sum = 0;
    for (int i = 0; i < BLOCKS; i++)
        sum += *(volatile char *)(old[i] + SIZE / 2);
    make_and_free();
    printf("used %d\n", sum);
    return 0;
}
