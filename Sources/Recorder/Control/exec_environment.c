#include "exec_environment.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "safe_read.h"
#include "file.h"
#include "preloaded_copy.h"
#include "read_clock.h"
#include "signal_chain.h"
#include "system.h"
#include "words.h"

enum { GP_VARIABLES_MOST = 16, GP_SUCCESSORS_MOST = 10000, GP_NOTES_MOST = 256 << 10 };

static const char exec_prefix[] = "GAMEPROF_SUCCESSOR=";  // of the process whose recording began
static const char follow_children[] = "GAMEPROF_FOLLOW=children";
static const char follow_beyond[] = "GAMEPROF_FOLLOW=beyond:";
static const char trace_prefix[] = "GAMEPROF_TRACE=";
static const char tool_is_locked[] = "GAMEPROF_TOOL=locked";
static const char dormant_prefix[] = "GAMEPROF_DORMANT=";

static struct {
    char text[64 << 10];
    char *variables[GP_VARIABLES_MOST];  // “NAME=value”
    size_t count;
    const char *library;  // absolute path
    const char *trace;  // of the first program of the recording
    long process;  // in which the recorder started
    const char *first;  // number of the process whose recording began, as text
    bool is_first;  // this is that process
    bool is_launcher;
    bool follows_children;
    bool follows_forks;
    bool names_tool;
    bool is_dormant;
    bool for_linked;  // by the recorder that the program links, which sees to exec itself
} kept;

// What follows `prefix` in `text`; NULL: it does not begin so.
static const char *behind(const char *prefix, const char *text) {
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

// Whether this program lies in one of the folders, which end in a slash and are divided by colons.
static bool lies_below(const char *folders) {
    char program[4096];
    long length = gp_system(readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    for (gp_word folder; gp_word_next(&folders, ":", &folder);)
        if (folder.length > 0 && memmem(program, strlen(program), folder.text, folder.length))
            return true;
    return false;
}

static void understand(const char *variable) {
    const char *trace = behind(trace_prefix, variable), *folders = behind(follow_beyond, variable);
    const char *first = behind(exec_prefix, variable);
    kept.trace = trace ? trace : kept.trace;
    kept.first = first ? first : kept.first;
    if (folders)
        kept.is_launcher = kept.follows_children = lies_below(folders);
    if (strcmp(variable, follow_children) == 0)
        kept.follows_children = kept.follows_forks = true;
    if (strcmp(variable, tool_is_locked) == 0)
        kept.names_tool = true;
    if (behind(dormant_prefix, variable))
        kept.is_dormant = true;
}

static bool add(const char *variable, size_t *used) {
    size_t size = strlen(variable) + 1;
    if (kept.count == GP_VARIABLES_MOST || *used + size > sizeof kept.text)
        return false;
    kept.variables[kept.count] = memcpy(kept.text + *used, variable, size);
    *used += size;
    understand(kept.variables[kept.count++]);
    return true;
}

void gp_exec_environment_keep(const char *const *variables, size_t count, const char *library, size_t length) {
    char number[GP_NUMBER_ROOM], successor[sizeof exec_prefix + sizeof number];
    size_t used = length + 1;
    if (length == 0 || library[0] != '/' || used > sizeof kept.text)
        return;
    kept.library = memcpy(kept.text, library, length);
    kept.process = gp_system(getpid, 0);
    bool complete = true;
    for (size_t i = 0; i < count; i++)
        complete = add(variables[i], &used) && complete;
    gp_number_write(number, (uint64_t)kept.process);
    kept.is_first = !kept.first || strcmp(kept.first, number) == 0;
    if (!kept.first)
        complete = add(strcat(strcpy(successor, exec_prefix), number), &used) && complete;
    if (!complete || !(kept.trace || kept.is_dormant))
        kept.count = 0;
    __typeof__(&gp_exec_environment_hand_on) copy = GP_OF_PRELOADED_COPY(gp_exec_environment_hand_on);
    if (copy)
        copy(variables, count, library, length);
}

__attribute__((visibility("default"))) void gp_exec_environment_hand_on(const char *const *variables, size_t count,
                                                                        const char *library, size_t length) {
    kept.for_linked = true;
    gp_exec_environment_keep(variables, count, library, length);
}

const char *gp_exec_environment_trace(void) {
    return kept.trace;
}

bool gp_exec_environment_names_tool(void) {
    return kept.names_tool;
}

bool gp_exec_environment_only_passes(void) {
    return kept.count > 0 && kept.is_launcher && !kept.is_first;
}

bool gp_exec_environment_by_children(void) {
    return kept.count > 0 && kept.follows_children;
}

bool gp_exec_environment_by_fork(void) {
    return kept.count > 0 && kept.follows_forks && kept.trace;
}

bool gp_exec_environment_by_exec(void) {
    return kept.count > 0 && !kept.for_linked && (kept.follows_children || kept.process == gp_system(getpid, 0));
}

static const char preload[] = "LD_PRELOAD=";
enum { GP_PRELOAD_NAME = sizeof preload - 1, GP_NAME_ROOM = 64 };

// Whether the kernel copies this process's memory: a container's filter may forbid it.
static bool kernel_copies(void) {
    char byte;
    return gp_safe_read((uintptr_t)preload, &byte, sizeof byte);
}

// Other threads may change the environment meanwhile: whatever stands in it is read with the kernel's help.
static const char *variable_at(char *const *environment, size_t index) {
    const char *variable = NULL;
    if (gp_safe_read((uintptr_t)(environment + index), &variable, sizeof variable) || kernel_copies())
        return variable;
    return environment[index];
}

// As gp_safe_text.
static size_t copy_text(const char *text, char *to, size_t capacity) {
    size_t length = gp_safe_text((uintptr_t)text, to, capacity);
    if (length > 0 || kernel_copies())
        return length;
    length = strnlen(text, capacity - 1);
    memcpy(to, text, length);
    to[length] = 0;
    return length;
}

// The variable's first bytes, which are its name if that is one of the recorder's.
static const char *name_of(const char *variable, char name[GP_NAME_ROOM]) {
    copy_text(variable, name, GP_NAME_ROOM);
    return name;
}

static bool is_preload(const char *name) {
    return strncmp(name, preload, GP_PRELOAD_NAME) == 0;
}

// A variable of the same name as one of the recorder's.
static bool is_own(const char *name) {
    for (size_t i = 0; i < kept.count; i++)
        if (strncmp(name, kept.variables[i], strcspn(kept.variables[i], "=") + 1) == 0)
            return true;
    return false;
}

static size_t length_of(const char *text) {
    char part[GP_NAME_ROOM];
    size_t length = 0, more;
    do
        length += more = copy_text(text + length, part, sizeof part);
    while (more + 1 == sizeof part);
    return length;
}

gp_exec_environment_need gp_exec_environment_measure(char *const *environment) {
    char name[GP_NAME_ROOM];
    gp_exec_environment_need need = {0};
    for (const char *variable; environment && (variable = variable_at(environment, need.variables)); need.variables++)
        if (!need.list && is_preload(name_of(variable, name)))
            need.list = length_of(variable + GP_PRELOAD_NAME);
    need.bytes =
        (need.variables + kept.count + 2) * sizeof(char *) + GP_PRELOAD_NAME + strlen(kept.library) + 2 + need.list;
    return need;
}

char **gp_exec_environment_fill(char *const *environment, gp_exec_environment_need need, void *room) {
    char **result = room, *text = (char *)(result + need.variables + kept.count + 2), name[GP_NAME_ROOM];
    size_t count = 0, place = SIZE_MAX;
    const char *list = NULL;
    for (size_t given = 0; given < need.variables; given++) {
        const char *variable = variable_at(environment, given);
        if (!variable)
            break;
        if (is_own(name_of(variable, name)))
            continue;
        if (place == SIZE_MAX && is_preload(name)) {
            list = variable + GP_PRELOAD_NAME;
            place = count;
        }
        result[count++] = (char *)variable;
    }
    if (place == SIZE_MAX)
        place = count++;
    for (size_t i = 0; i < kept.count; i++)
        result[count++] = kept.variables[i];
    result[count] = NULL;

    result[place] = text;
    size_t length = strlen(kept.library);
    memcpy(text, preload, GP_PRELOAD_NAME);
    memcpy(text + GP_PRELOAD_NAME, kept.library, length + 1);
    text += GP_PRELOAD_NAME + length;
    if (list) {
        *text = ':';
        copy_text(list, text + 1, need.list + 1);
    }
    return result;
}

static const char export_preload[] = "export LD_PRELOAD='", after_preload[] = "'\"${LD_PRELOAD:+:$LD_PRELOAD}\"";
static const char run_again[] = "\nexec /bin/sh -c '", after_line[] = "' sh";

static char *put(char *to, const char *text) {
    const size_t length = strlen(text);
    return (char *)memcpy(to, text, length + 1) + length;
}

// As text between single quotes: one of its own is written '\''.
static char *put_quoted(char *to, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            to = put(to, "'\\'");
        *to++ = *text;
    }
    *to = 0;
    return to;
}

static size_t quoted_length(const char *text) {
    size_t length = 0;
    for (; *text; text++)
        length += *text == '\'' ? 4 : 1;
    return length;
}

size_t gp_exec_environment_command_size(const char *line) {
    size_t size = sizeof export_preload + quoted_length(kept.library) + sizeof after_preload;
    for (size_t i = 0; i < kept.count; i++)
        size += quoted_length(kept.variables[i]) + sizeof " ''";
    return size + sizeof run_again + quoted_length(line) + sizeof after_line;
}

// NAME='value' for each variable: a name has no quotes in it.
char *gp_exec_environment_command(const char *line, char *room) {
    char *end = put(put_quoted(put(room, export_preload), kept.library), after_preload);
    for (size_t i = 0; i < kept.count; i++) {
        const size_t name = strcspn(kept.variables[i], "=") + 1;
        *end++ = ' ';
        end = (char *)memcpy(end, kept.variables[i], name) + name;
        end = put(put_quoted(put(end, "'"), kept.variables[i] + name), "'");
    }
    put(put_quoted(put(end, run_again), line), after_line);
    return room;
}

bool gp_exec_environment_own_path(char *path, size_t capacity) {
    size_t length = strlen(path);
    if (length + 32 > capacity)
        return false;
    path[length++] = '.';
    length += gp_number_write(path + length, (uint64_t)gp_system(getpid, 0));
    path[length++] = '.';
    for (uint64_t number = 1; number < GP_SUCCESSORS_MOST; number++) {
        path[length + gp_number_write(path + length, number)] = 0;
        long file = gp_system(openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0)
            gp_system(close, file);
        if (file != -EEXIST)
            return file >= 0;
    }
    return false;
}

// Appends a line to what stands beside the trace for the tool. `path`: room for its name.
static void append_note(char *path, size_t capacity, const char *line, size_t used) {
    const size_t length = kept.trace ? strlen(kept.trace) : 0;
    if (length == 0 || kept.count == 0 || length + sizeof ".others" > capacity)
        return;
    memcpy(path, kept.trace, length);
    strcpy(path + length, ".others");
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    long file = gp_system(openat, AT_FDCWD, path, flags, 0600);
    if (file < 0)
        return;
    if (gp_file_is_own((int)file) && gp_system(lseek, file, 0, SEEK_END) < GP_NOTES_MOST)
        gp_file_append_text((int)file, line, used);
    gp_system(close, file);
}

static size_t append_text(char *line, size_t used, const char *text) {
    strcpy(line + used, text);
    return used + strlen(text);
}

// One line of text: PID, “exec” or “start”, PROGRAM, REASON, with tabs between them.
void gp_exec_environment_note(bool by_exec, const char *program, const char *reason, gp_program_room *room) {
    char *line = room->line;
    if (by_exec && kept.for_linked)
        return;
    size_t used = gp_number_write(line, (uint64_t)gp_system(getpid, 0));
    used = append_text(line, used, by_exec ? "\texec\t" : "\tstart\t");
    for (; *program && used < 700; program++)
        line[used++] = *program == '\n' || *program == '\t' ? '?' : *program;
    line[used++] = '\t';
    for (; reason && *reason && used < sizeof room->line - 1; reason++)
        line[used++] = *reason;
    line[used++] = '\n';
    append_note(room->note_path, sizeof room->note_path, line, used);
}

// What gp_exec_environment_note_end hands on.
typedef struct {
    uint64_t child, number;
    bool by_signal;
} child_end;

// One line of text: PID, “signal” or “code”, its number, nanoseconds of the wall clock.
static void note_end(void *argument) {
    const child_end *end = argument;
    char path[4096], line[4 * GP_NUMBER_ROOM];
    size_t used = gp_number_write(line, end->child);
    used = append_text(line, used, end->by_signal ? "\tsignal\t" : "\tcode\t");
    used += gp_number_write(line + used, end->number);
    used = append_text(line, used, "\t");
    used += gp_number_write(line + used, gp_read_clock(CLOCK_REALTIME));
    append_note(path, sizeof path, line, append_text(line, used, "\n"));
}

static _Atomic bool notes_no_ends;

void gp_exec_environment_note_no_ends(void) {
    notes_no_ends = true;
}

void gp_exec_environment_note_end(long child, bool by_signal, int number) {
    if (!notes_no_ends && (gp_exec_environment_by_children() || gp_exec_environment_by_fork()))
        gp_call_with_room(note_end, &(child_end){(uint64_t)child, (uint64_t)number, by_signal});
}
