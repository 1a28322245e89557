#include "task_list.h"

#include <string.h>

#include "proc_path.h"
#include "read_clock.h"
#include "system.h"
#include "words.h"

enum { IO_WORKER = 0x10 };  // PF_IO_WORKER of Linux 5.12 and later: a thread that the kernel made for an io_uring
enum { TICK_NS = GP_SECOND_NS / 100 };  // USER_HZ of /proc is 100, on every x86 kernel

long gp_task_file_read(uint32_t thread, const char *name, char *text, long capacity) {
    char path[GP_PROC_PATH], after[32] = "/";
    strcpy(after + 1, name);
    gp_proc_path(path, "/proc/self/task/", thread, after);
    return (long)gp_read_text(path, text, (size_t)capacity);
}

// The number `fields` words behind `text`.
static uint64_t field(const char *text, int fields) {
    gp_word word;
    while (fields > 0 && gp_word_next(&text, " ", &word))
        fields--;
    return gp_number_at(text);
}

bool gp_task_stat_read(uint32_t thread, gp_task_stat *stat) {
    char text[512];
    if (gp_task_file_read(thread, "stat", text, sizeof text) == 0)
        return false;
    const char *after_name = strrchr(text, ')');
    if (!after_name || after_name[1] != ' ')
        return false;
    stat->state = after_name[2];
    stat->is_kernels = field(after_name + 2, 6) & IO_WORKER;
    stat->system_ns = field(after_name + 2, 12) * TICK_NS;
    stat->start_ns = field(after_name + 2, 19) * TICK_NS;
    return stat->state != 'Z' && stat->state != 'X';
}

uint64_t gp_task_unscheduled_ns(uint32_t thread) {
    char text[64];
    // Nanoseconds on a processor, and nanoseconds ready to run.
    return gp_task_file_read(thread, "schedstat", text, sizeof text) > 0 ? field(text, 1) : 0;
}

bool gp_task_call_read(uint32_t thread, gp_task_call *call) {
    enum { LONGEST = 256, WORDS = GP_CALL_ARGUMENTS + 2 };
    char text[LONGEST];
    const char *rest = text;
    *call = (gp_task_call){.number = -1};
    // The number, and in hexadecimal six arguments, sp and pc; "-1", sp and pc of a thread that waits otherwise; or "running".
    if (gp_task_file_read(thread, "syscall", text, sizeof text) == 0 || *rest == 'r')
        return false;
    const bool is_in_call = *rest != '-';
    rest += is_in_call ? 0 : 1;
    const long number = (long)gp_number_take(&rest);
    uintptr_t words[WORDS] = {0};
    for (int i = is_in_call ? 0 : GP_CALL_ARGUMENTS; i < WORDS; i++) {
        if (memcmp(rest, " 0x", 3) != 0)
            return false;
        rest += 3;
        words[i] = gp_hexadecimal_take(&rest);
    }
    call->number = is_in_call ? number : -1;
    memcpy(call->arguments, words, sizeof call->arguments);
    call->sp = words[GP_CALL_ARGUMENTS];
    call->pc = words[GP_CALL_ARGUMENTS + 1];
    return true;
}

uint32_t gp_task_call_filters(void) {
    // The second one since Linux 5.9.
    char text[4096];
    gp_task_file_read((uint32_t)gp_system(gettid, 0), "status", text, sizeof text);
    const uint32_t count = (uint32_t)gp_number_behind(text, "Seccomp_filters:");
    return count > 0 ? count : gp_number_behind(text, "Seccomp:") != 0;
}

static uint32_t filters_before;

void gp_task_note_filters(void) {
    filters_before = gp_task_call_filters();
}

bool gp_task_has_new_filter(void) {
    return gp_task_call_filters() != filters_before;
}
