// A mapping in which memory without a file follows an image's data: the kernel joins the two.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "../../../Sources/Recorder/Leaks/system_frames.h"
#include "../../../Sources/Recorder/Leaks/roots.h"
#include "Check.h"
#include "TraceFormat.h"
#include "images.h"
#include "thread.h"
#include "thread_stack.h"

enum { PAGE = 4096, HIDDEN = 9 };

static _Alignas(PAGE) uintptr_t joined[2 * PAGE / sizeof(uintptr_t)];
static gp_image_info image = {.path = "/lib/libc.so.6"};

const gp_image_info *gp_image_first(void) {
    return &image;
}
bool gp_thread_stack_has_no_main;
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

static uintptr_t *new_object(void) {
    static uintptr_t objects[32][6];
    static size_t count;
    return objects[count++];
}

// Whether one of the words that are visited is the wanted one.
typedef struct {
    uintptr_t wanted;
    bool is_next_chunk;  // it counts where it is not the allocator's own
    bool is_found;
} search;

static void read_words(const gp_root_words *words, void *context) {
    search *s = context;
    for (uintptr_t at = (words->start + 7) & -8ul; at + 8 <= words->end; at += 8)
        if (*(const uintptr_t *)at == s->wanted && !(s->is_next_chunk && words->next_chunks))
            s->is_found = true;
}

static bool is_named(const gp_roots *roots, uintptr_t *object) {
    search s = {.wanted = (uintptr_t)object};
    gp_roots_each_lasting(roots, read_words, &s);
    gp_roots_each_passing(roots, read_words, &s);
    return s.is_found;
}

// An initializer may be anywhere on the stack of another thread, its object not yet written.
static void other_threads_words_are_seen(void) {
    static uintptr_t stack[PAGE / sizeof(uintptr_t)];
    uintptr_t *named = new_object(), *held = new_object(), *behind = new_object();
    stack[PAGE / sizeof(uintptr_t) - 1] = (uintptr_t)named;
    stack[0] = (uintptr_t)behind;  // below the stack pointer
    named[2] = (uintptr_t)behind;
    uintptr_t low = (uintptr_t)stack;
    gp_map map = {low, low + sizeof stack, GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_thread other = {.id = 7, .sp = low + 512, .thread_pointer = low + 600, .registers = {(uintptr_t)held}};
    gp_stopped_threads threads = {.count = 1, .threads = &other};
    gp_roots roots = {&(gp_memory_map){1, &map}, &threads, &(gp_stopped_thread){0}, 1};
    CHECK(is_named(&roots, named));
    CHECK(is_named(&roots, held));
    CHECK(!is_named(&roots, behind));
    other.id = HIDDEN;
    CHECK(!is_named(&roots, named) && !is_named(&roots, held));
}

// Below its stack pointer a function may keep what it works with, but not across a system call.
static void the_red_zone_counts_outside_of_the_kernel(void) {
    static uintptr_t stack[PAGE / sizeof(uintptr_t)];
    uintptr_t *near = new_object(), *far = new_object();
    uintptr_t low = (uintptr_t)stack, sp = low + 512;
    stack[(512 - 128) / sizeof(uintptr_t)] = (uintptr_t)near;
    stack[(512 - 136) / sizeof(uintptr_t)] = (uintptr_t)far;
    gp_map map = {low, low + sizeof stack, GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_thread other = {.id = 7, .sp = sp, .thread_pointer = low + 600, .in_kernel = true};
    gp_stopped_threads threads = {.count = 1, .threads = &other};
    gp_roots roots = {&(gp_memory_map){1, &map}, &threads, &(gp_stopped_thread){0}, 1};
    CHECK(!is_named(&roots, near));
    other.in_kernel = false;
    CHECK(is_named(&roots, near));
    CHECK(!is_named(&roots, far));
}

static void notes_of_the_recorder_hold_nothing(void) {
    uintptr_t *noted = new_object();
    notes[1] = (uintptr_t)noted;
    gp_map map = {(uintptr_t)notes, (uintptr_t)(notes + 4), GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&(gp_memory_map){1, &map}, &threads, &caller, 1};
    CHECK(!is_named(&roots, noted));
}

// dispatchMain() ends the main thread, and other frames come to lie where those of its functions were.
static void what_a_exited_main_stack_held_lives(void) {
    uintptr_t *local = new_object(), *preserved = new_object(), *lost = new_object();
    uintptr_t copy[3] = {0, (uintptr_t)local, 0};
    gp_exited_main_stack left = {.words = copy, .size = sizeof copy, .registers = {0, (uintptr_t)preserved}};
    exited_main_stack = &left;
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&(gp_memory_map){0}, &threads, &caller, 1};
    CHECK(is_named(&roots, local));
    CHECK(is_named(&roots, preserved));
    CHECK(!is_named(&roots, lost));
    exited_main_stack = NULL;
}

static bool is_reached(const gp_map *map, uintptr_t *object) {
    gp_memory_map maps = {1, (gp_map *)map};
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&maps, &threads, &caller, 1};
    return is_named(&roots, object);
}

// Of memory that was protected what was never touched is passed over, and what lies behind it is not.
static void protected_memory_is_looked_at_as_a_whole(void) {
    enum { ROOM = 16 << 20, HOLE = 500 * PAGE, LARGE = 1100 * PAGE };
    uint8_t *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(madvise(room, ROOM, MADV_NOHUGEPAGE) == 0);
    memset(room + HOLE, 1, LARGE);
    uintptr_t *objects[3] = {new_object(), new_object(), new_object()};
    const size_t places[3] = {HOLE + LARGE - PAGE, HOLE + LARGE + 100 * PAGE, ROOM - PAGE};
    for (int i = 0; i < 3; i++)
        *(uintptr_t **)(room + places[i]) = objects[i];
    gp_map map = {(uintptr_t)room, (uintptr_t)room + ROOM, GP_MAP_READ | GP_MAP_OPENED};
    for (int i = 0; i < 3; i++)
        CHECK(is_reached(&map, objects[i]));
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
    what_a_exited_main_stack_held_lives();
    other_threads_words_are_seen();
    the_red_zone_counts_outside_of_the_kernel();
    notes_of_the_recorder_hold_nothing();
    // In libc's data this word is the allocator's own; behind it, it is a pointer like any other.
    const uintptr_t next = (uintptr_t)new_object() + 32;
    joined[1] = next;
    uintptr_t start = (uintptr_t)joined, end = start + sizeof joined;
    image.start = start;
    image.end = start + 100;
    gp_map map = {start, end, GP_MAP_READ | GP_MAP_WRITE};
    gp_stopped_threads threads = {0};
    gp_stopped_thread caller = {.sp = 16};
    gp_roots roots = {&(gp_memory_map){1, &map}, &threads, &caller, 1};
    for (int behind = 0; behind <= 1; behind++) {
        joined[PAGE / sizeof(uintptr_t) + 1] = behind ? next : 0;
        search s = {.wanted = next, .is_next_chunk = true};
        gp_roots_each_lasting(&roots, read_words, &s);
        CHECK(s.is_found == behind);
    }
    forbid_questions();
    protected_memory_is_looked_at_as_a_whole();
    what_cannot_be_asked_for_is_unread();
    puts("passed");
    return 0;
}
