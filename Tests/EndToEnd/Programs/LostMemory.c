// Ways to lose memory and ways to hold it, as C programs do: what other leak checkers are tested with. The first argument
// says which.
#include <alloca.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIZE = 1000, PAGE = 4096, LARGE = 10 << 20, MANY = 100, VERY_MANY = 1050000 };

static void touch(const void *memory) {
    __asm__ volatile("" : : "r"(memory) : "memory");
}

static void *block(size_t size) {
    void *memory = calloc(1, size);
    touch(memory);
    return memory;
}

typedef struct pair_node {
    struct pair_node *left, *right;
    char room[SIZE - 16];
} pair_node;

static pair_node *node(pair_node *left, pair_node *right) {
    pair_node *made = block(sizeof *made);
    made->left = left;
    made->right = right;
    return made;
}

static void *kept[64];
static __thread void *local;
static pthread_key_t key;

// ---------------------------------------------------------------------------------------- blocks that name one another

static void direct(void) {
    block(SIZE);
}
static void chain(void) {
    node(node(node(NULL, NULL), NULL), NULL);
}
static void self(void) {
    pair_node *only = node(NULL, NULL);
    only->left = only;
}
static pair_node *ring(unsigned count) {
    pair_node *first = node(NULL, NULL), *last = first;
    for (; count > 1; count--)
        last = node(last, NULL);
    first->left = last;
    return first;
}
static void cycle(void) {
    ring(2);
}
static void two_cycles(void) {
    pair_node *first = ring(3), *second = ring(3);
    first->right = second;
    second->right = first;
}
static void cycle_behind_a_block(void) {
    node(ring(2), NULL);
}
static void held_cycle(void) {
    kept[0] = ring(3);
}
static pair_node *tree(unsigned depth) {
    return depth ? node(tree(depth - 1), tree(depth - 1)) : NULL;
}
static void lost_tree(void) {
    tree(3);
}
static void lost_branch(void) {
    pair_node *root = tree(3);
    kept[0] = root;
    root->left = NULL;
}
static void held_tree(void) {
    kept[0] = tree(3);
}
static void **chain_of_three(size_t size) {
    void **last = NULL;
    for (unsigned i = 0; i < 3; i++) {
        void **made = malloc(size);
        made[0] = last;
        last = made;
    }
    return last;
}
static void overwritten(void) {
    kept[0] = block(SIZE);
    touch(kept);
    kept[0] = NULL;
}
static void empty(void) {
    touch(malloc(0));
}
static void large(void) {
    memset(block(64 << 20), 1, 1 << 20);
}
static char *linked_pool(void) {
    char *chunk = block(MANY * 64);
    for (size_t i = 0; i + 1 < MANY; i++)
        *(void **)(chunk + i * 64) = chunk + (i + 1) * 64;
    return chunk;
}
// The upper half of the first pointer and the lower half of the second are the lost block's address.
static volatile uintptr_t pointers_in_a_row[2];
static void halves_of_two_pointers(void) {
    uintptr_t lost = (uintptr_t)block(SIZE);
    const uintptr_t place = 0x5e0000000000 | (uint32_t)lost;
    char *page = mmap((void *)(place & -(uintptr_t)PAGE), PAGE, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page == MAP_FAILED)
        abort();
    pointers_in_a_row[0] = (uintptr_t)block(SIZE);
    pointers_in_a_row[1] = place;
    lost = 0;
    touch(&lost);
}

// As in a table of names and sizes: the upper half of the pointer and the number make the block's address.
static struct {
    const void *pointer;
    uint32_t number;
} named_size;

static void pointer_and_number(void) {
    uintptr_t lost = (uintptr_t)block(SIZE);
    // The program and its first heap lie in the same 4 GiB, but for one start in hundreds.
    if (lost >> 32 == (uintptr_t)&named_size >> 32) {
        named_size.pointer = &named_size;
        named_size.number = (uint32_t)lost;
    }
    lost = 0;
    touch(&lost);
}

// The same with a pointer to a block.
static void block_and_number(void) {
    uintptr_t lost = (uintptr_t)block(SIZE);
    named_size.pointer = block(SIZE);
    named_size.number = (uint32_t)lost;
    lost = 0;
    touch(&lost);
}

// Addresses encoded as halves, one behind the other: the halves of two neighbours look like a pointer.
static volatile uint32_t encoded[5];
static void halves_in_a_row(void) {
    encoded[0] = 7;
    for (unsigned i = 0; i < 2; i++) {
        const uintptr_t kept_here = (uintptr_t)block(SIZE);
        encoded[2 * i + 1] = (uint32_t)(kept_here >> 32);
        encoded[2 * i + 2] = (uint32_t)kept_here;
    }
}

static void very_many(void) {
    for (unsigned i = 0; i < VERY_MANY / 3; i++)
        touch(chain_of_three(16));
    for (unsigned i = 0; i < 2; i++)
        touch(malloc(64 << 20));
}
static void pool(void) {
    linked_pool();
}
static void held_pool(void) {
    kept[0] = linked_pool() + 7 * 64;
}
static void holder_unmapped(void) {
    void **memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory[3] = block(SIZE);
    touch(memory);
    munmap(memory, PAGE);
}
static void stale_stack(void) {
    void *volatile below[500];
    for (unsigned i = 0; i < 500; i++)
        below[i] = i == 250 ? block(SIZE) : NULL;
}

// ------------------------------------------------------------------------------------------ blocks in several mappings

static char *middle(char *memory) {
    return (char *)(((uintptr_t)memory + LARGE / 2) & -(uintptr_t)PAGE);
}
static char *large_block(void) {
    char *memory = malloc(LARGE);
    memset(memory, 1, LARGE);
    touch(memory);
    return memory;
}
static void protected_part(void) {
    mprotect(middle(large_block()), 1 << 20, PROT_READ);
}
static void unreadable_part(void) {
    mprotect(middle(large_block()), 1 << 20, PROT_NONE);
}
static void unreadable_start(void) {
    mprotect((void *)((uintptr_t)large_block() & -(uintptr_t)PAGE), PAGE, PROT_NONE);
}
static void locked_part(void) {
    if (mlock(middle(large_block()), 4 * PAGE) != 0)
        madvise(middle(large_block()), 4 * PAGE, MADV_DONTDUMP);
}
static void advised_part(void) {
    madvise(middle(large_block()), 1 << 20, MADV_DONTDUMP);
}
static void held_behind_a_split(void) {
    char *memory = large_block();
    *(void **)(middle(memory) + (2 << 20)) = block(SIZE);
    mprotect(middle(memory), 1 << 20, PROT_READ);
}
static void held_by_split_block(void) {
    kept[0] = large_block();
    *(void **)(middle(kept[0]) + PAGE) = block(SIZE);
    mprotect(middle(kept[0]), 1 << 20, PROT_NONE);
}
static void held_by_unreadable(void) {
    void **memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory[7] = block(SIZE);
    mprotect(memory, PAGE, PROT_NONE);
}

// ------------------------------------------------------------------------------------------------------------- threads

static void *return_nothing(void *context) {
    touch(context);
    return NULL;
}
static void *return_block(void *context) {
    (void)context;
    return block(SIZE);
}
static void *use_heap(void *context) {
    void *volatile held = context;
    free(malloc(10));
    touch(held);
    return NULL;
}
static void *set_local(void *context) {
    local = context;
    touch(&local);
    return NULL;
}
static void *set_specific(void *context) {
    pthread_setspecific(key, context);
    return NULL;
}
static void allocate_late(void *value) {
    touch(value);
    free(malloc(20));
}
static void allocate_and_forget(void *value) {
    touch(value);
    block(SIZE);
}
static void *leave(void *context) {
    pthread_exit(context);
}

static pthread_t started(void *(*run)(void *), void *context) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, context) != 0)
        abort();
    return thread;
}
static void joined(void *(*run)(void *), void *context) {
    pthread_join(started(run, context), NULL);
}
static void joined_context(void) {
    joined(return_nothing, block(SIZE));
}
static void joined_context_with_heap(void) {
    joined(use_heap, block(SIZE));
}
static void many_contexts(void) {
    pthread_t threads[MANY];
    for (unsigned i = 0; i < MANY; i++)
        threads[i] = started(use_heap, block(SIZE));
    for (unsigned i = 0; i < MANY; i++)
        pthread_join(threads[i], NULL);
}
static void late_allocation(void) {
    pthread_key_create(&key, allocate_late);
    joined(set_specific, block(SIZE));
}
static void lost_in_destructor(void) {
    pthread_key_create(&key, allocate_and_forget);
    joined(set_specific, &key);
}
static void specific_of_ended(void) {
    pthread_key_create(&key, NULL);
    joined(set_specific, block(SIZE));
}
static void specific_of_first(void) {
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, block(SIZE));
}
static void specific_late_key(void) {
    for (unsigned i = 0; i < 40; i++)
        pthread_key_create(&key, NULL);
    pthread_setspecific(key, block(SIZE));
}
static void specific_freed(void) {
    pthread_key_create(&key, free);
    joined(set_specific, block(SIZE));
}
static void local_of_ended(void) {
    joined(set_local, block(SIZE));
}
static void local_of_first(void) {
    local = block(SIZE);
}
static void lost_result(void) {
    joined(return_block, NULL);
}
static void exited_with_context(void) {
    joined(leave, block(SIZE));
}

static atomic_int ended;
static void note_end(void *value) {
    touch(value);
    atomic_store(&ended, 1);
}
static void *end_detached(void *context) {
    touch(context);
    pthread_setspecific(key, &key);
    return NULL;
}
static pthread_t unjoined(void *(*run)(void *), void *context) {
    pthread_key_create(&key, note_end);
    pthread_t thread = started(run, context);
    while (!atomic_load(&ended))
        sched_yield();
    // Its destructors have run. The number of threads in the process tells when the kernel is done with it.
    for (char text[64] = ""; !strchr(text, '*');) {
        FILE *status = fopen("/proc/self/status", "r");
        for (char line[256]; fgets(line, sizeof line, status);)
            if (strncmp(line, "Threads:", 8) == 0 && atoi(line + 8) == 1)
                strcpy(text, "*");
        fclose(status);
    }
    return thread;
}
static void *end_with_result(void *context) {
    end_detached(context);
    return block(SIZE);
}
static void unjoined_context(void) {
    unjoined(end_detached, block(SIZE));
}
static void detached_context(void) {
    pthread_detach(unjoined(end_detached, block(SIZE)));
}
static void unjoined_result(void) {
    unjoined(end_with_result, NULL);
}

// A stack that the program made is its own memory, also when its thread has ended.
static void own_stack(void) {
    size_t size = 1 << 20;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, size);
    pthread_t thread;
    pthread_create(&thread, &attributes, return_nothing, NULL);
    pthread_join(thread, NULL);
    *(void **)stack = block(SIZE);
}

static atomic_int waits;
static void *wait_with_local(void *context) {
    void *volatile held = context;
    atomic_store(&waits, 1);
    for (;;)
        pause();
    touch(held);
}
static void *wait_with_register(void *context) {
    uintptr_t hidden = ~(uintptr_t)context;
    atomic_store(&waits, 1);
    __asm__ volatile("notq %%rbx\n1: pause\n\tjmp 1b" : : "b"(hidden));
    return NULL;
}
static void waiting(void *(*run)(void *), void *context) {
    started(run, context);
    while (!atomic_load(&waits))
        sched_yield();
}
static void on_running_stack(void) {
    waiting(wait_with_local, block(SIZE));
}
static void in_register(void) {
    waiting(wait_with_register, block(SIZE));
}

// Who wakes another on its processor stands still in the midst of that. Of the registers it holds only those that functions preserve.
static sem_t wakened;
static uintptr_t hidden_scratch, hidden_preserved;
static void await_sleep_of_main(void) {
    for (char state = 0; state != 'S';) {
        FILE *stat = fopen("/proc/self/stat", "r");
        fscanf(stat, "%*d (%*[^)]) %c", &state);
        fclose(stat);
    }
}
static void *wake_with_registers(void *unused) {
    void *function = (void *)sem_post, *semaphore = &wakened;
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    await_sleep_of_main();
    __asm__ volatile("movq %[scratch], %%r9\n\tnotq %%r9\n\tmovq %[preserved], %%rbx\n\tnotq %%rbx\n\t"
                     "subq $128, %%rsp\n\tcall *%%rax\n\txorl %%r9d, %%r9d\n1: pause\n\tjmp 1b"
                     : "+a"(function), "+D"(semaphore)
                     : [scratch] "m"(hidden_scratch), [preserved] "m"(hidden_preserved)
                     : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory");
    return unused;
}
static void in_registers_of_waker(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    hidden_scratch = ~(uintptr_t)block(SIZE);
    hidden_preserved = ~(uintptr_t)block(SIZE);
    started(wake_with_registers, NULL);
    sem_wait(&wakened);
}

// --------------------------------------------------------------------------------------------------- coroutines, fork

static ucontext_t back, routine;
static void yield_with_block(void) {
    void *volatile held = block(SIZE);
    swapcontext(&routine, &back);
    touch(held);
}
static void begin_routine(void *stack) {
    getcontext(&routine);
    routine.uc_stack.ss_sp = stack;
    routine.uc_stack.ss_size = 64 << 10;
    makecontext(&routine, yield_with_block, 0);
    swapcontext(&back, &routine);
}
static void held_routine(void) {
    begin_routine(kept[0] = block(64 << 10));
}
static void lost_routine(void) {
    begin_routine(block(64 << 10));
    memset(&routine, 0, sizeof routine);
    memset(&back, 0, sizeof back);
}
static void lost_before_fork(void) {
    block(SIZE);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}
static void lost_in_child(void) {
    pid_t child = fork();
    if (child == 0) {
        block(SIZE);
        exit(0);
    }
    waitpid(child, NULL, 0);
}

// -------------------------------------------------------------------------------------------------------------- holding

static void global(void) {
    kept[5] = block(SIZE);
}
static void local_static(void) {
    static void *held;
    held = block(SIZE);
    touch(&held);
}
// A C++ array with a count in front, a string behind its header, a base class inside of an object.
static void interior(void) {
    for (unsigned i = 0; i < 8; i++)
        kept[i] = (char *)block(SIZE) + 8 * i;
}
static void last_byte(void) {
    kept[0] = (char *)block(SIZE) + SIZE - 1;
}
static void unaligned(void) {
    void *memory = block(SIZE);
    memcpy((char *)kept + 3, &memory, sizeof memory);
}
static void mapped(void) {
    void **memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory[7] = block(SIZE);
}
static void shared(void) {
    void **memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memory[7] = block(SIZE);
}
static void moved(void) {
    kept[0] = block(SIZE);
    kept[0] = realloc(kept[0], 100 * SIZE);
}
static void too_large(void) {
    volatile size_t size = SIZE_MAX / 2;
    void *memory = block(SIZE);
    touch(realloc(memory, size));
}
static void free_kept(void) {
    free(kept[0]);
}
static void freed_at_exit(void) {
    kept[0] = block(SIZE);
    atexit(free_kept);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"direct", direct},
    {"chain", chain},
    {"self", self},
    {"cycle", cycle},
    {"two-cycles", two_cycles},
    {"cycle-behind-a-block", cycle_behind_a_block},
    {"held-cycle", held_cycle},
    {"lost-tree", lost_tree},
    {"lost-branch", lost_branch},
    {"held-tree", held_tree},
    {"overwritten", overwritten},
    {"empty", empty},
    {"large", large},
    {"halves-of-two-pointers", halves_of_two_pointers},
    {"pointer-and-number", pointer_and_number},
    {"block-and-number", block_and_number},
    {"halves-in-a-row", halves_in_a_row},
    {"very-many", very_many},
    {"pool", pool},
    {"held-pool", held_pool},
    {"holder-unmapped", holder_unmapped},
    {"stale-stack", stale_stack},
    {"protected-part", protected_part},
    {"unreadable-part", unreadable_part},
    {"unreadable-start", unreadable_start},
    {"locked-part", locked_part},
    {"advised-part", advised_part},
    {"held-behind-a-split", held_behind_a_split},
    {"held-by-split-block", held_by_split_block},
    {"held-by-unreadable", held_by_unreadable},
    {"joined-context", joined_context},
    {"joined-context-with-heap", joined_context_with_heap},
    {"many-contexts", many_contexts},
    {"late-allocation", late_allocation},
    {"lost-in-destructor", lost_in_destructor},
    {"specific-of-ended", specific_of_ended},
    {"specific-of-first", specific_of_first},
    {"specific-late-key", specific_late_key},
    {"specific-freed", specific_freed},
    {"local-of-ended", local_of_ended},
    {"local-of-first", local_of_first},
    {"lost-result", lost_result},
    {"exited-with-context", exited_with_context},
    {"unjoined-context", unjoined_context},
    {"detached-context", detached_context},
    {"unjoined-result", unjoined_result},
    {"own-stack", own_stack},
    {"on-running-stack", on_running_stack},
    {"in-register", in_register},
    {"in-registers-of-waker", in_registers_of_waker},
    {"held-routine", held_routine},
    {"lost-routine", lost_routine},
    {"lost-before-fork", lost_before_fork},
    {"lost-in-child", lost_in_child},
    {"global", global},
    {"local-static", local_static},
    {"interior", interior},
    {"last-byte", last_byte},
    {"unaligned", unaligned},
    {"mapped", mapped},
    {"shared", shared},
    {"moved", moved},
    {"too-large", too_large},
    {"freed-at-exit", freed_at_exit},
};

// What a case has left below its caller's frame is gone.
static __attribute__((noinline)) void wipe(void) {
    touch(memset(alloca(32 << 10), 0, 32 << 10));
}

int main(int count, char **arguments) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (count > 1 && strcmp(arguments[1], cases[i].name) == 0) {
            void (*volatile run)(void) = cases[i].run;
            run();
            wipe();
            return 0;
        }
    return 2;
}
