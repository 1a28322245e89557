#include "sampled_stack.h"

#include <string.h>

#include "arch.h"
#include "safe_read.h"
#include "rule_cache.h"
#include "stack_tree.h"
#include "TraceFormat.h"
#include "call_site.h"
#include "waiting_stack.h"

enum { FIRST_COPY = 4096 };

typedef struct {
    struct gp_thread *writer;
    gp_stack_copy *copy;
} remote_thread;

static bool copy_more(gp_stack_copy *copy, size_t wanted) {
    if (wanted > GP_REMOTE_COPY)
        wanted = GP_REMOTE_COPY;
    if (wanted <= copy->size)
        return false;
    struct iovec local = {(uint8_t *)copy->words + copy->size, wanted - copy->size};
    // Page by page: what lies behind the last page of the stack ends the copy, it does not undo it.
    struct iovec remote[GP_REMOTE_COPY / GP_PAGE + 1];
    unsigned count = 0;
    for (uintptr_t at = copy->start + copy->size, end = copy->start + wanted; at < end;) {
        const uintptr_t page_end = gp_page_start(at) + gp_page_size(), next = page_end < end ? page_end : end;
        remote[count++] = (struct iovec){(void *)at, next - at};
        at = next;
    }
    long copied = gp_safe_copy(&local, 1, remote, count);
    if (copied <= 0)
        return false;
    copy->size += (size_t)copied & ~(size_t)7;
    return true;
}

static bool read_word(gp_stack_copy *copy, uintptr_t address, uintptr_t *word) {
    uintptr_t offset = address - copy->start;
    if (offset % 8 != 0 || offset >= GP_REMOTE_COPY)
        return false;
    if (offset + 8 > copy->size && (!copy_more(copy, (offset + FIRST_COPY) & ~(size_t)7) || offset + 8 > copy->size))
        return false;
    *word = copy->words[offset / 8];
    return true;
}

static bool read_stack(void *context, uintptr_t address, uintptr_t *word) {
    return read_word(((remote_thread *)context)->copy, address, word);
}

static uint64_t rule_at(void *context, uintptr_t pc, bool exact) {
    return gp_rule_at(((remote_thread *)context)->writer, pc, exact);
}

static uintptr_t function_start(void *context, uintptr_t pc) {
    (void)context;
    return gp_function_start(pc);
}

static gp_call_kind call_before(void *context, uintptr_t address, uintptr_t function) {
    (void)context;
    return gp_call_before(address, function);
}

uint32_t gp_remote_stack_id(struct gp_thread *writer, gp_stack_copy *copy, uintptr_t pc, uintptr_t sp) {
    uintptr_t pcs[GP_REMOTE_DEPTH];
    copy->start = sp & ~(uintptr_t)7;
    copy->size = 0;
    remote_thread remote = {writer, copy};
    const gp_waiting_thread thread = {&remote, read_stack, rule_at, function_start, call_before};
    const size_t count = gp_waiting_stack_walk(&thread, pc, sp, pcs, GP_REMOTE_DEPTH);
    uint32_t node = 0;
    for (size_t i = count; i-- > 0;) {
        uint8_t flags = (uint8_t)((i == 0 ? GP_FRAME_EXACT : 0) |
                                  (i + 1 == count && count == GP_REMOTE_DEPTH ? GP_FRAME_TRUNCATED : 0));
        node = gp_stack_node(writer, node, pcs[i], flags);
        if (!node)
            return 0;
    }
    return node;
}
