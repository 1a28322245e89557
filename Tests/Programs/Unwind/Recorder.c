#include "Recorder.h"

#include "arena.h"
#include "stack.h"
#include "thread.h"
#include "trace_writer.h"

#include <pthread.h>
#include <sys/mman.h>

gp_frame *recorded_frames;
_Atomic unsigned recorded_frame_count, recorded_image_count, recorded_gone_count;

static char *_Atomic arena;
__thread gp_thread *gp_thread_here;

static void *reserve(size_t size) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

__attribute__((constructor(101))) static void prepare(void) {
    recorded_frames = reserve(sizeof(gp_frame) << 26);
    arena = reserve((size_t)1 << 32);
    gp_stack_observe_images();
}

void *gp_arena_allocate(size_t size) {
    return arena ? __atomic_fetch_add((char **)&arena, (size + 15) & ~(size_t)15, __ATOMIC_SEQ_CST) : NULL;
}

void gp_write_cell(gp_thread *thread, const void *cell) {
    (void)thread;
    gp_frame frame = *(const gp_frame *)cell;
    frame.kind = 0;
    recorded_frames[frame.id] = frame;
    // Read by other threads, which know the node before it is recorded.
    __atomic_store_n(&recorded_frames[frame.id].kind, GP_FRAME, __ATOMIC_RELEASE);
    recorded_frame_count++;
}

void gp_write_record(gp_thread *thread, void *fixed, size_t fixed_size, const void *tail, size_t tail_size) {
    (void)thread, (void)fixed_size, (void)tail, (void)tail_size;
    if (((gp_record_header *)fixed)->kind == GP_IMAGE)
        recorded_image_count++;
    if (((gp_record_header *)fixed)->kind == GP_IMAGE_GONE)
        recorded_gone_count++;
}

gp_thread *gp_thread_make(void) {
    gp_thread *thread = gp_arena_allocate(sizeof *thread);
    thread->busy = true;
    gp_stacks_begin(gp_thread_stacks(thread));
    gp_thread_here = thread;
    pthread_attr_t attributes;
    void *low;
    size_t size;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    thread->stack_low = (uintptr_t)low;
    thread->stack_high = (uintptr_t)low + size;
    thread->busy = false;
    return thread;
}
