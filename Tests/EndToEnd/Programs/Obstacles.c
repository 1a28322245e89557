// Loses a block, and takes away what a search for leaks needs: files (descriptors), closed (the standard files), root FOLDER
// (/proc); exit: main does not return; memory: uses 16 MB. unread PROGRAM: is PROGRAM where the kernel has no process_vm_readv;
// forbidden: where a filter forbids it.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refuse(unsigned call, int error) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0;
}

static int be_unread(const char *program, int error) {
    return refuse(SYS_process_vm_readv, error) ? 2 : execl(program, program, NULL);
}

static int use_memory(void) {
    enum { SIZE = 16 << 20 };
    char *volatile block = malloc(SIZE);
    if (block)
        memset(block, 1, SIZE);
    puts(block ? "16 MB" : "no memory");
    free(block);
    return block ? 7 : 1;
}

int main(int count, char **arguments) {
    void *volatile lost = malloc(77);
    lost = NULL;
    if (count < 2)
        return 0;
    if (!strcmp(arguments[1], "files"))
        return setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3});
    if (!strcmp(arguments[1], "closed"))
        return close(0) + close(1) + close(2);
    if (!strcmp(arguments[1], "root"))
        return chroot(arguments[2]);
    if (!strcmp(arguments[1], "unread"))
        return be_unread(arguments[2], ENOSYS);
    if (!strcmp(arguments[1], "forbidden"))
        return be_unread(arguments[2], EPERM);
    if (!strcmp(arguments[1], "children"))
        return refuse(SYS_wait4, EPERM);
    if (!strcmp(arguments[1], "memory"))
        return use_memory();
    if (!strcmp(arguments[1], "exit"))
        exit(0);
    return 0;
}
