// What the handler of a sample keeps and writes, for a thread that the recorder has not seen before.
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "Check.h"
#include "Figures.h"
#include "spool.h"
#include "../../../Sources/Recorder/Time/sampled_thread.h"
#include "arena.h"
#include "sampler.h"
#include "recording_state.h"
#include "resident.h"

enum { SAMPLES = 10000, ROOM = 64 << 10 };

gp_recording_page gp_recording = {.state = GP_RECORDING_ON};
__thread gp_thread *gp_thread_here;
__thread gp_sampled_thread *gp_sampled_thread_here;
static gp_sampled_thread sampled;

// What comes before a sample in its chunk grows by a cell now and then, as it does when new frames are met.
static uint32_t taken;
static const char label[] = "game.board";

bool gp_sampler_is_on(void) {
    return true;
}
gp_sampled_thread *gp_sampled_thread_find(uint32_t id) {
    sampled.state.id = id;
    return &sampled;
}
uint64_t gp_source_period(void) {
    return 1000000;
}
uint16_t gp_source_kernel_periods(void) {
    return 4;
}
// The signal is of the timer that a thread has besides its event, and comes behind a system call.
static bool is_timer, is_in_kernel;
bool gp_cpu_timer_sent(const siginfo_t *info) {
    return info && is_timer;
}
bool gp_code_is_behind_system_call(uintptr_t pc) {
    return pc && is_in_kernel;
}
static uint32_t disarmed;
void gp_sampled_thread_disarm(gp_sampled_thread *thread) {
    disarmed += thread == &sampled;
}
bool gp_sampled_thread_begin_regularly(gp_sampled_thread *thread) {
    return thread;
}
uint32_t gp_stack_id_interrupted(gp_thread *thread, gp_stacks *stacks, gp_registers at) {
    (void)stacks, (void)at;
    if (taken++ % 7 == 0)
        gp_write_cell(thread, &(gp_frame){.kind = GP_FRAME});
    return 1;
}
uint32_t gp_deep_stack_id(gp_thread *thread, const gp_stacks *stacks, gp_outermost_frames *outermost, uint32_t node) {
    (void)thread, (void)stacks, (void)outermost;
    return node;
}
uint32_t gp_async_stack_id(gp_thread *thread, const gp_stacks *stacks, gp_async_chain *chain, uint32_t node) {
    (void)thread, (void)stacks, (void)chain;
    return node;
}
bool gp_work_label_changed(uint32_t thread, gp_work_label *work) {
    (void)thread;
    const bool changed = work->kind != GP_WORK_QUEUE;
    work->kind = GP_WORK_QUEUE;
    strcpy(work->name, label);
    return changed;
}
_Atomic uint64_t gp_resident_due_ns;  // at any time
void gp_resident_write(struct gp_thread *thread, uint64_t now_ns) {
    if (now_ns % 5 == 0)
        gp_write_cell(thread, &(gp_resident){.kind = GP_RESIDENT, .ns = now_ns});
}
uint64_t gp_now_ns(void) {
    return taken;
}
uint64_t gp_coarse_ns(void) {
    return taken;
}
gp_thread *gp_thread_first(void) {
    return NULL;
}
void *gp_arena_allocate(size_t size) {
    return calloc(1, size);
}
gp_chunk_header *gp_spool_block(gp_chunk_header *place) {
    (void)place;
    return calloc(1, GP_CHUNK_SIZE);
}
uint64_t gp_spool_next_sequence(void) {
    static uint64_t number;
    return ++number;
}
bool gp_spool_has_room(void) {
    return true;
}
bool gp_spool_lift_limit(void) {
    return false;
}
void gp_spool_drop(uint64_t events) {
    CHECK(events == 0);
}

static uint32_t labels, samples, chunks;

// A reader knows of a chunk only what stands in it.
bool gp_spool_write(const gp_chunk_header *chunk) {
    bool is_labelled = false;
    chunks++;
    for (uint32_t at = sizeof *chunk; at < chunk->used;) {
        const uint8_t *record = (const uint8_t *)chunk + at;
        if (*record == GP_WORK) {
            const gp_work *work = (const gp_work *)record;
            CHECK(work->header.size == sizeof *work + strlen(label) && memcmp(work + 1, label, strlen(label)) == 0);
            is_labelled = true;
            labels++;
            at += work->header.cells * GP_CELL_SIZE;
            continue;
        }
        CHECK(*record == GP_SAMPLE || *record == GP_FRAME || *record == GP_RESIDENT);
        CHECK(*record != GP_SAMPLE || is_labelled);
        samples += *record == GP_SAMPLE;
        at += GP_CELL_SIZE;
    }
    return true;
}

static uintptr_t on_own_stack;
static ucontext_t own, elsewhere;

static void sample(void) {
    ucontext_t interrupted;
    getcontext(&interrupted);
    gp_sample_take(&(siginfo_t){.si_code = SI_TIMER}, &interrupted);
}

static void *sample_in_coroutine(void *context) {
    void *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    on_own_stack = (uintptr_t)&context;
    sampled = (gp_sampled_thread){.work_chunk = 0};
    gp_sampled_thread_here = NULL;
    getcontext(&elsewhere);
    elsewhere.uc_stack = (stack_t){.ss_sp = room, .ss_size = ROOM};
    elsewhere.uc_link = &own;
    makecontext(&elsewhere, sample, 0);
    swapcontext(&own, &elsewhere);
    return NULL;
}

// The bounds are believed for good: they are the thread's, not those of what the first sample found it on.
static void check_bounds(bool is_main) {
    const gp_thread *state = &sampled.state;
    CHECK(state->stack_low < on_own_stack && on_own_stack < state->stack_high);
    CHECK((state->stack_low == 0) == is_main);
}

static uint64_t counted;

static void count(uint32_t stack, uint64_t number, void *context) {
    CHECK(stack == 1 && context == &counted);
    counted += number;
}

// Samples are counted by stack only between the two ends, and by one at a time.
static void check_cpu_counts(void) {
    gp_figures_cpu_end(count, &counted);
    CHECK(counted == 0);
    for (int round = 1; round <= 2; round++) {
        sample();
        CHECK(gp_figures_cpu_begin() && !gp_figures_cpu_begin());
        for (int i = 0; i < 10 * round; i++)
            sample();
        counted = 0;
        gp_figures_cpu_end(count, &counted);
        CHECK(counted == 10 * (uint64_t)round);
    }
    gp_recording.state = GP_RECORDING_OFF;
    CHECK(!gp_figures_cpu_begin() && gp_figures_cpu_period() == 0);
    gp_recording.state = GP_RECORDING_ON;
}

// Those of the timer's signals count that come out of the kernel: for all the periods that lie between two of them.
static void check_kernel_time(void) {
    is_timer = true;
    CHECK(gp_figures_cpu_begin());
    for (int i = 0; i < 20; i++) {
        is_in_kernel = i % 2 == 0;
        sample();
    }
    counted = 0;
    gp_figures_cpu_end(count, &counted);
    CHECK(counted == 40);
    // Where the thread has no event, each of them counts once.
    sampled.event = -1;
    CHECK(gp_figures_cpu_begin());
    for (int i = 0; i < 20; i++)
        sample();
    counted = 0;
    gp_figures_cpu_end(count, &counted);
    CHECK(counted == 20);
    sampled.event = 0;
    is_timer = false;
}

int main(void) {
    for (int i = 0; i < SAMPLES; i++)
        sample();
    gp_write_flush(&sampled.state.writer);
    CHECK(samples == SAMPLES && chunks > 2 && labels == chunks);

    check_cpu_counts();
    check_kernel_time();
    taken = SAMPLES;

    // Without a tool that waits for them samples are asked for no more; a child of the program has nothing to disarm.
    gp_recording.state = GP_RECORDING_OFF;
    sample();
    CHECK(taken == SAMPLES && disarmed == 1);
    gp_recording.state = GP_RECORDING_UNKNOWN;
    sample();
    CHECK(taken == SAMPLES && disarmed == 1);
    gp_recording.state = GP_RECORDING_ON;

    sample_in_coroutine(NULL);
    check_bounds(true);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, sample_in_coroutine, NULL) == 0);
    pthread_join(thread, NULL);
    check_bounds(false);

    gp_thread known = {.stack_low = on_own_stack - 8, .stack_high = on_own_stack + 8};
    gp_thread_here = &known;
    sample_in_coroutine(NULL);
    CHECK(sampled.state.stack_low == known.stack_low && sampled.state.stack_high == known.stack_high);
    puts("passed");
}
