// Whether the functions that count references leave the registers alone that they leave alone without a recorder: all
// but rax, rcx, rdx, rsi, rdi and r8. Prints the name of each that was changed, then the last count.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern char metadata[] __asm__("$ss19__EmptyArrayStorageCN");
extern void *swift_allocObject(void *metadata, size_t size, size_t alignment_mask);
extern void *swift_retain(void *object), *swift_retain_n(void *object, uint32_t times);
extern void swift_release(void *object), swift_release_n(void *object, uint32_t times);
extern void *swift_tryRetain(void *object), *swift_nonatomic_retain(void *object);
extern void swift_nonatomic_release(void *object);
extern size_t swift_retainCount(void *object);

typedef struct {
    uint64_t rbx, rbp, r9, r10, r11, r12, r13, r14, r15;
    uint64_t xmm[16][2];
} registers;

static const char *const names[] = {"rbx", "rbp", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};
registers before, after;
void *function, *argument;

// Loads every register of `before`, calls `function(argument, 2)`, and stores them in `after`.
__attribute__((naked, noinline)) static void call(void) {
    __asm__(
        "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n sub $8, %rsp\n"
        "lea before(%rip), %rax\n"
        "mov 0(%rax), %rbx\n mov 8(%rax), %rbp\n mov 16(%rax), %r9\n mov 24(%rax), %r10\n mov 32(%rax), %r11\n"
        "mov 40(%rax), %r12\n mov 48(%rax), %r13\n mov 56(%rax), %r14\n mov 64(%rax), %r15\n"
        "movups 72(%rax), %xmm0\n movups 88(%rax), %xmm1\n movups 104(%rax), %xmm2\n movups 120(%rax), %xmm3\n"
        "movups 136(%rax), %xmm4\n movups 152(%rax), %xmm5\n movups 168(%rax), %xmm6\n movups 184(%rax), %xmm7\n"
        "movups 200(%rax), %xmm8\n movups 216(%rax), %xmm9\n movups 232(%rax), %xmm10\n movups 248(%rax), %xmm11\n"
        "movups 264(%rax), %xmm12\n movups 280(%rax), %xmm13\n movups 296(%rax), %xmm14\n movups 312(%rax), %xmm15\n"
        "mov argument(%rip), %rdi\n mov $2, %esi\n"
        "call *function(%rip)\n"
        "lea after(%rip), %rax\n"
        "mov %rbx, 0(%rax)\n mov %rbp, 8(%rax)\n mov %r9, 16(%rax)\n mov %r10, 24(%rax)\n mov %r11, 32(%rax)\n"
        "mov %r12, 40(%rax)\n mov %r13, 48(%rax)\n mov %r14, 56(%rax)\n mov %r15, 64(%rax)\n"
        "movups %xmm0, 72(%rax)\n movups %xmm1, 88(%rax)\n movups %xmm2, 104(%rax)\n movups %xmm3, 120(%rax)\n"
        "movups %xmm4, 136(%rax)\n movups %xmm5, 152(%rax)\n movups %xmm6, 168(%rax)\n movups %xmm7, 184(%rax)\n"
        "movups %xmm8, 200(%rax)\n movups %xmm9, 216(%rax)\n movups %xmm10, 232(%rax)\n movups %xmm11, 248(%rax)\n"
        "movups %xmm12, 264(%rax)\n movups %xmm13, 280(%rax)\n movups %xmm14, 296(%rax)\n movups %xmm15, 312(%rax)\n"
        "add $8, %rsp\n pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n");
}

static void check(const char *name, void *called, void *object) {
    for (size_t i = 0; i < sizeof before / 8; i++)
        ((uint64_t *)&before)[i] = 0x0101010101010101u * (i + 3);
    function = called;
    argument = object;
    call();
    for (size_t i = 0; i < 9; i++)
        if (((uint64_t *)&before)[i] != ((uint64_t *)&after)[i])
            printf("%s changes %s\n", name, names[i]);
    for (int i = 0; i < 16; i++)
        if (memcmp(before.xmm[i], after.xmm[i], 16) != 0)
            printf("%s changes xmm%d\n", name, i);
}

int main(void) {
    void *object = swift_allocObject(metadata, 32, 15);
    check("swift_retain", swift_retain, object);
    check("swift_retain_n", swift_retain_n, object);
    check("swift_release", swift_release, object);
    check("swift_release_n", swift_release_n, object);
    check("swift_tryRetain", swift_tryRetain, object);
    check("swift_nonatomic_retain", swift_nonatomic_retain, object);
    check("swift_nonatomic_release", swift_nonatomic_release, object);
    check("swift_retain of nothing", swift_retain, NULL);
    check("swift_retain of no object", swift_retain, (void *)(uintptr_t)0xe000000000000000u);
    printf("count %zu\n", swift_retainCount(object));
}
