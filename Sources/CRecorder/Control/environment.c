#include "environment.h"

#include <string.h>
#include <unistd.h>

#include "TraceFormat.h"
#include "exec_environment.h"
#include "spool.h"
#include "own_recording.h"
#include "system.h"
#include "taken_trace.h"
#include "words.h"

extern void *__libc_stack_end;

// Before the C library is initialised `environ` is empty; the kernel put argc, argv and envp on the stack.
static char **variables(void) {
    if (environ)
        return environ;
    uintptr_t *bottom = __libc_stack_end;
    return bottom ? (char **)(bottom + 1 + bottom[0] + 1) : NULL;
}

static const char *value_of(const char *variable, const char *name) {
    size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '=' ? variable + length + 1 : NULL;
}

static const char *find(const char *name) {
    char **all = variables();
    for (char **variable = all; all && *variable; variable++) {
        const char *value = value_of(*variable, name);
        if (value)
            return value;
    }
    return NULL;
}

#ifndef GP_PRELOADED
const char *gp_own_variable(const char *name) {
    return find(name);
}
#endif

static void take_out(const char *name) {
    char **kept = variables();
    for (char **variable = kept; kept && *variable; variable++)
        if (!value_of(*variable, name))
            *kept++ = *variable;
    if (kept)
        *kept = NULL;
}

// Words that name no instrument are left out, and `*knows_all` becomes false.
static uint32_t parse_instruments(const char *list, bool *knows_all) {
    static const struct {
        const char *name;
        uint32_t bit;
    } names[] = {
        {"allocations", GP_INSTRUMENT_ALLOCATIONS},
        {"leaks", GP_INSTRUMENT_LEAKS},
        {"zombies", GP_INSTRUMENT_ZOMBIES},
        {"time", GP_INSTRUMENT_TIME},
        // The graph is that of a leak search.
        {"heap", GP_INSTRUMENT_HEAP | GP_INSTRUMENT_LEAKS | GP_INSTRUMENT_ALLOCATIONS},
    };
    enum { COUNT = sizeof names / sizeof *names };
    uint32_t instruments = 0;
    for (gp_word word; gp_word_next(&list, ", ", &word);) {
        size_t i = 0;
        while (i < COUNT && !gp_word_is(word, names[i].name))
            i++;
        if (i < COUNT)
            instruments |= names[i].bit;
        else if (word.length > 0)
            *knows_all = false;
    }
    return instruments;
}

static bool append(char *path, size_t capacity, const char *text) {
    size_t length = strlen(path), more = strlen(text);
    if (length + more >= capacity)
        return false;
    memcpy(path + length, text, more + 1);
    return true;
}

#ifndef GP_PRELOADED
static void default_path(gp_request *request) {
    char program[4096];
    long length = gp_system(readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        length = 0;
    program[length] = 0;
    const char *name = strrchr(program, '/');
    append(request->path, sizeof request->path, name ? name + 1 : "program");
    append(request->path, sizeof request->path, ".gptrace");
}
#endif

static gp_request read_request(void) {
    gp_request request = {.instruments = 0};
    bool knows_all = true;
    const char *path = find("GAMEPROF_TRACE");
    for (size_t i = 0; i < GP_INSTRUMENT_COUNT; i++)
        request.options[i] = gp_instruments[i]->variable ? find(gp_instruments[i]->variable) : NULL;
    request.snapshots = find("GAMEPROF_SNAPSHOTS");
    request.max_size = find("GAMEPROF_MAX_TRACE_SIZE");
    request.sample = find("GAMEPROF_SAMPLE");
    if (path) {
        const char *list = find("GAMEPROF_INSTRUMENTS");
        append(request.path, sizeof request.path, path);
        request.is_successor = find("GAMEPROF_SUCCESSOR");
        request.instruments =
            list ? parse_instruments(list, &knows_all) : GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS;
        return request;
    }
#ifndef GP_PRELOADED
    const char *list = find("GAMEPROF");
    if (list && *list) {
        const char *output = find("GAMEPROF_OUTPUT");
        request.instruments = parse_instruments(list, &knows_all);
        if (!knows_all)
            request.refusal = "GAMEPROF names an unknown instrument; there are allocations, leaks, time and zombies.";
        if (output)
            append(request.path, sizeof request.path, output);
        else
            default_path(&request);
        // What a child recorded into its parent's trace, or a successor into its predecessor's, would destroy it.
        if (gp_trace_is_taken(request.path) && !gp_exec_environment_own_path(request.path, sizeof request.path))
            request.path[0] = 0;
    } else if (gp_own_recording && gp_own_recording(request.path, sizeof request.path)) {
        request.instruments = GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS;
    }
#endif
    return request;
}

static bool is_own_library(const char *entry, size_t length) {
    static const char name[] = "libGameCapture.so";
    size_t own = sizeof name - 1;
    return length >= own && memcmp(entry + length - own, name, own) == 0 &&
           (length == own || entry[length - own - 1] == '/');
}

// This library's entry of LD_PRELOAD, `*whole` bytes with what separates it from the next; NULL: there is none.
static char *own_entry(size_t *length, size_t *whole) {
    char *list = (char *)find("LD_PRELOAD");
    for (char *entry = list; entry && *entry; entry += *whole) {
        *length = strcspn(entry, ": ");
        *whole = *length + (entry[*length] != 0);
        if (is_own_library(entry, *length))
            return entry;
    }
    return NULL;
}

// Shortens the list in place: the entries that the user had stay as they were.
static void restore_preload(char *entry, size_t length, size_t whole) {
    if (whole == length && entry == find("LD_PRELOAD"))
        take_out("LD_PRELOAD");
    else if (whole == length)
        entry[-1] = 0;
    else
        memmove(entry, entry + whole, strlen(entry + whole) + 1);
}

static const char *const own_names[] = {
    "GAMEPROF_TRACE",         "GAMEPROF_INSTRUMENTS",    "GAMEPROF_ZOMBIES", "GAMEPROF_TIME",
    "GAMEPROF_SNAPSHOTS",     "GAMEPROF_HISTORY",        "GAMEPROF_WHY",     "GAMEPROF_FOLLOW",
    "GAMEPROF_SUCCESSOR",     "GAMEPROF_MAX_TRACE_SIZE", "GAMEPROF_TOOL",    "GAMEPROF_SAMPLE",
    "GAMEPROF_GUARD_SAMPLES",
};

enum { OWN_NAMES = sizeof own_names / sizeof *own_names };

static void restore(void) {
    const char *own[OWN_NAMES];
    size_t count = 0, length = 0, whole = 0;
    for (size_t i = 0; i < OWN_NAMES; i++) {
        const char *value = find(own_names[i]);
        if (value)
            own[count++] = value - strlen(own_names[i]) - 1;
    }
    char *entry = own_entry(&length, &whole);
    gp_exec_environment_keep(own, count, entry, entry ? length : 0);
    for (size_t i = 0; i < OWN_NAMES; i++)
        take_out(own_names[i]);
    if (entry)
        restore_preload(entry, length, whole);
}

gp_request gp_environment_take(void) {
    gp_request request = read_request();
    if (!request.path[0])
        return request;
    restore();
    if (request.is_successor && (gp_exec_environment_only_passes() ||
                                 gp_spool_tool_is_gone(gp_exec_environment_trace(), gp_exec_environment_names_tool()) ||
                                 !gp_exec_environment_own_path(request.path, sizeof request.path)))
        request.path[0] = 0;
    return request;
}
