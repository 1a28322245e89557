// A mapping in which memory without a file follows an image's data: the kernel joins the two.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "../../../Sources/Recorder/Leaks/block_index.h"
#include "../../../Sources/Recorder/Leaks/stale_filters.h"
#include "../../../Sources/Recorder/Leaks/roots.h"
#include "FakeHeap.h"
#include "images.h"
#include "thread.h"

enum { PAGE = 4096, HIDDEN = 9 };

static _Alignas(PAGE) uintptr_t joined[2 * PAGE / sizeof(uintptr_t)];
static gp_image_info image = {.path = "/lib/libc.so.6"};

const gp_image_info *gp_image_first(void) {
    return &image;
}
gp_thread *gp_thread_first(void) {
    return NULL;
}
// The recorder's own notes name blocks too.
static uintptr_t notes[4];
void gp_arena_find(uintptr_t from, uintptr_t end, uintptr_t *part_start, uintptr_t *part_end) {
    uintptr_t start = (uintptr_t)notes;
    bool found = from < start + sizeof notes && start < end;
    *part_start = found ? start : end;
    *part_end = found ? start + sizeof notes : end;
}
void *gp_arena_allocate(size_t size) {
    return calloc(1, size);
}
static const gp_exited_main_stack *exited_main_stack;
const gp_exited_main_stack *gp_exited_main_stack_kept(void) {
    return exited_main_stack;
}
bool gp_thread_is_hidden(uint32_t id) {
    return id == HIDDEN;
}
bool gp_thread_was_stopped(const gp_stopped_thread *thread) {
    return thread->id != 0;
}

// What the words that are visited name, by block.
typedef struct {
    const gp_block_index *index;
    uint64_t *blocks;
    uintptr_t next_chunk;  // a word that counts where it is not the allocator's own
} names;

static void read_words(const gp_root_words *words, void *context) {
    const names *named = context;
    for (uintptr_t at = (words->start + 7) & -8ul; at + 8 <= words->end; at += 8) {
        const uintptr_t word = *(const uintptr_t *)at;
        const bool is_next = word && word == named->next_chunk && !words->next_chunks;
        const uint32_t block = is_next ? 0 : gp_index_exact(named->index, word);
        if (block != GP_NO_BLOCK)
            gp_set_add(named->blocks, block);
    }
}

static uint64_t *named_by(const gp_roots *roots) {
    names named = {roots->index, gp_set_new(1000), 0};
    gp_roots_each_lasting(roots, read_words, &named);
    gp_roots_each_passing(roots, read_words, &named);
    return named.blocks;
}

static bool is_named(const gp_roots *roots, uintptr_t *object) {
    return gp_set_has(named_by(roots), gp_index_exact(roots->index, (uintptr_t)object));
}

// An initializer may be anywhere on the stack of another thread, its object not yet written.
static void other_threads_words_are_seen(void) {
    static uintptr_t stack[PAGE / sizeof(uintptr_t)];
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *named = fake_object(&index), *held = fake_object(&index), *behind = fake_object(&index);
    stack[PAGE / sizeof(uintptr_t) - 1] = (uintptr_t)named;
    stack[0] = (uintptr_t)behind;  // below the stack pointer
    named[2] = (uintptr_t)behind;
    uintptr_t low = (uintptr_t)stack;
    gp_map map = {low, low + sizeof stack, GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_thread other = {.id = 7, .sp = low + 512, .thread_pointer = low + 600, .registers = {(uintptr_t)held}};
    gp_stopped_threads threads = {.count = 1, .threads = &other};
    gp_roots roots = {&(gp_memory_map){1, &map}, &index, &threads, &(gp_stopped_thread){0}, 1};
    CHECK(is_named(&roots, named));
    CHECK(is_named(&roots, held));
    CHECK(!is_named(&roots, behind));
    other.id = HIDDEN;
    CHECK(!is_named(&roots, named) && !is_named(&roots, held));
}

// Below its stack pointer a function may keep what it works with, but not across a system call.
static void the_red_zone_counts_outside_of_the_kernel(void) {
    static uintptr_t stack[PAGE / sizeof(uintptr_t)];
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *near = fake_object(&index), *far = fake_object(&index);
    uintptr_t low = (uintptr_t)stack, sp = low + 512;
    stack[(512 - 128) / sizeof(uintptr_t)] = (uintptr_t)near;
    stack[(512 - 136) / sizeof(uintptr_t)] = (uintptr_t)far;
    gp_map map = {low, low + sizeof stack, GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_thread other = {.id = 7, .sp = sp, .thread_pointer = low + 600, .in_kernel = true};
    gp_stopped_threads threads = {.count = 1, .threads = &other};
    gp_roots roots = {&(gp_memory_map){1, &map}, &index, &threads, &(gp_stopped_thread){0}, 1};
    CHECK(!is_named(&roots, near));
    other.in_kernel = false;
    CHECK(is_named(&roots, near));
    CHECK(!is_named(&roots, far));
}

// Vectors of thread-local storage, link maps: nothing but the loader's own data, which is not looked at, names them.
static void blocks_of_the_loader_are_roots(void) {
    gp_block_index index;
    uintptr_t *vector, *storage, *lost;
    gp_block_index before;
    CHECK(gp_index_prepare(&before, 1000));
    vector = fake_object(&before), storage = fake_object(&before), lost = fake_object(&before);
    vector[2] = (uintptr_t)storage;  // whoever searches follows that
    fake_live[0] = (gp_block){.address = (uintptr_t)vector, .size = 32, .flags = GP_BLOCK_LOADER};
    fake_live[1] = (gp_block){.address = (uintptr_t)storage, .size = 32};
    fake_live[2] = (gp_block){.address = (uintptr_t)lost, .size = 32};
    fake_live_count = 3;
    CHECK(gp_index_build(&index));
    fake_live_count = 0;
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&(gp_memory_map){0}, &index, &threads, &caller, 1};
    CHECK(is_named(&roots, vector));
    CHECK(!is_named(&roots, lost));
}

static void notes_of_the_recorder_hold_nothing(void) {
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *noted = fake_object(&index);
    notes[1] = (uintptr_t)noted;
    gp_map map = {(uintptr_t)notes, (uintptr_t)(notes + 4), GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&(gp_memory_map){1, &map}, &index, &threads, &caller, 1};
    CHECK(!is_named(&roots, noted));
}

// dispatchMain() ends the main thread, and other frames come to lie where those of its functions were.
static void what_a_exited_main_stack_held_lives(void) {
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *local = fake_object(&index), *preserved = fake_object(&index), *lost = fake_object(&index);
    uintptr_t copy[3] = {0, (uintptr_t)local, 0};
    gp_exited_main_stack left = {.words = copy, .size = sizeof copy, .registers = {0, (uintptr_t)preserved}};
    exited_main_stack = &left;
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&(gp_memory_map){0}, &index, &threads, &caller, 1};
    CHECK(is_named(&roots, local));
    CHECK(is_named(&roots, preserved));
    CHECK(!is_named(&roots, lost));
    exited_main_stack = NULL;
}

static uintptr_t *given;  // by the thread, on its stack

static void *stay(void *context) {
    uintptr_t *volatile word = given = context;
    return word == given ? NULL : &given;
}

static bool is_reached(const gp_map *map, const gp_block_index *index, uintptr_t *object) {
    gp_memory_map maps = {1, (gp_map *)map};
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&maps, index, &threads, &caller, 1};
    gp_ended_stacks ended;
    CHECK(gp_ended_stacks_begin(&ended));
    gp_roots_each_lasting(&roots, gp_ended_stacks_note, &ended);
    roots.ended = &ended;
    return is_named(&roots, object);
}

// libc makes the control block of a thread, with its argument, before the thread is there; then its id is 0 as well.
static void stacks_of_ended_threads_hold_nothing(void) {
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *object = fake_object(&index);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, stay, object) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    gp_ended_stacks_prepare();
    gp_map map = {(thread & -4096ul) - 2 * PAGE, (thread & -4096ul) + PAGE, GP_MAP_READ | GP_MAP_WRITE};
    CHECK(!is_reached(&map, &index, object));
    int *state = (int *)(thread + 776), ended = *state;
    *state = 0;
    CHECK(is_reached(&map, &index, object));
    *state = ended;
    CHECK(!is_reached(&map, &index, object));
}

// Protecting a part of a block splits its mapping: the piece behind holds no block's start.
static void pieces_of_a_block_hold_nothing(void) {
    enum { ROOM = 16 * PAGE };
    uintptr_t chunk = (uintptr_t)mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *(size_t *)(chunk + 8) = ROOM | GP_CHUNK_MAPPED;
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *object = fake_object(&index);
    CHECK((uintptr_t)object < chunk);
    gp_index_add(&index, chunk + 16, chunk + ROOM);
    uintptr_t *behind = (uintptr_t *)(chunk + 9 * PAGE);
    behind[0] = (uintptr_t)object;
    behind[1] = chunk + 16;
    gp_map piece = {chunk + 8 * PAGE, chunk + ROOM, GP_MAP_READ | GP_MAP_WRITE};
    CHECK(!is_reached(&piece, &index, object));
    CHECK(!is_reached(&piece, &index, (uintptr_t *)(chunk + 16)));
}

// Of memory that was protected what was never touched is passed over, and what lies behind it is not.
static void protected_memory_is_looked_at_as_a_whole(void) {
    enum { ROOM = 16 << 20, HOLE = 500 * PAGE, LARGE = 1100 * PAGE };
    uint8_t *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(madvise(room, ROOM, MADV_NOHUGEPAGE) == 0);
    memset(room + HOLE, 1, LARGE);
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *objects[3] = {fake_object(&index), fake_object(&index), fake_object(&index)};
    const size_t places[3] = {HOLE + LARGE - PAGE, HOLE + LARGE + 100 * PAGE, ROOM - PAGE};
    for (int i = 0; i < 3; i++)
        *(uintptr_t **)(room + places[i]) = objects[i];
    gp_map map = {(uintptr_t)room, (uintptr_t)room + ROOM, GP_MAP_READ | GP_MAP_OPENED};
    for (int i = 0; i < 3; i++)
        CHECK(is_reached(&map, &index, objects[i]));
    munmap(room, ROOM);
}

// Kernels before 6.7 do not know the question.
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

// Nothing can be concluded from a reservation whose pages the kernel does not list.
static void what_cannot_be_asked_for_is_unread(void) {
    const uintptr_t start = 1ul << 32, end = start + (2ul << 40);
    CHECK(!gp_unread_sentence());
    gp_memory_map_present(start, end, NULL, NULL);
    CHECK(strstr(gp_unread_sentence(),
                 "2147483648 KB of the program's memory, from 0x100000000 on, could not be read: "));
}

int main(void) {
    protected_memory_is_looked_at_as_a_whole();
    stacks_of_ended_threads_hold_nothing();
    pieces_of_a_block_hold_nothing();
    what_a_exited_main_stack_held_lives();
    other_threads_words_are_seen();
    the_red_zone_counts_outside_of_the_kernel();
    blocks_of_the_loader_are_roots();
    notes_of_the_recorder_hold_nothing();
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t *owned = fake_object(&index);
    // In libc's data this word is the allocator's own; behind it, it is a pointer like any other.
    const uintptr_t next = (uintptr_t)owned + gp_block_usable((uintptr_t)owned) - 8;
    joined[1] = next;
    uintptr_t start = (uintptr_t)joined, end = start + sizeof joined;
    image.start = start;
    image.end = start + 100;
    gp_map map = {start, end, GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&(gp_memory_map){1, &map}, &index, &threads, &caller, 1};
    for (int behind = 0; behind <= 1; behind++) {
        joined[PAGE / sizeof(uintptr_t) + 1] = behind ? next : 0;
        names named = {&index, gp_set_new(1000), next};
        gp_roots_each_lasting(&roots, read_words, &named);
        CHECK(gp_set_has(named.blocks, 0) == behind);
    }
    forbid_questions();
    protected_memory_is_looked_at_as_a_whole();
    what_cannot_be_asked_for_is_unread();
    puts("passed");
    return 0;
}
