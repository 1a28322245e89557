#include "environment.h"

#include <string.h>
#include <unistd.h>

#include "TraceFormat.h"
#include "exec_environment.h"
#include "spool.h"
#include "own_recording.h"
#include "system.h"

extern void *__libc_stack_end;

static char **given;  // while they are read, NULL: those of the environment

// Before the C library is initialised `environ` is empty; the kernel put argc, argv and envp on the stack.
static char **variables(void) {
    if (given || environ)
        return given ? given : environ;
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

#define GP_NAME(NAME, name, number, with) #name ", "

static gp_request read_request(void) {
    gp_request request = {.instruments = 0};
    bool knows_all = true;
    const char *path = find("GAMEPROF_TRACE");
    for (size_t i = 0; i < GP_INSTRUMENT_COUNT; i++)
        request.options[i] = gp_instruments[i]->variable ? find(gp_instruments[i]->variable) : NULL;
    request.snapshots = find("GAMEPROF_SNAPSHOTS");
    request.max_size = find("GAMEPROF_MAX_TRACE_SIZE");
    const char *list = find("GAMEPROF");
    request.is_dormant = find("GAMEPROF_DORMANT") || (list && strcmp(list, "dormant") == 0);
    if (path) {
        list = find("GAMEPROF_INSTRUMENTS");
        append(request.path, sizeof request.path, path);
        request.is_of_tool = true;
        request.is_successor = find("GAMEPROF_SUCCESSOR");
        request.instruments =
            list ? gp_instruments_named(list, &knows_all) : GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS;
        return request;
    }
#ifndef GP_PRELOADED
    if (list && *list && !request.is_dormant) {
        const char *output = find("GAMEPROF_OUTPUT");
        request.instruments = gp_instruments_named(list, &knows_all);
        if (!knows_all)
            request.refusal =
                "GAMEPROF names an unknown instrument; there are " GP_EACH_INSTRUMENT(GP_NAME) "and no others.";
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
    static const char name[] = "libGameRecorder.so";
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
    "GAMEPROF_TRACE",     "GAMEPROF_INSTRUMENTS",    "GAMEPROF_SNAPSHOTS", "GAMEPROF_FOLLOW",
    "GAMEPROF_SUCCESSOR", "GAMEPROF_MAX_TRACE_SIZE", "GAMEPROF_TOOL",      "GAMEPROF_DORMANT",
};

enum { NAMES = sizeof own_names / sizeof *own_names, OWN_NAMES = NAMES + GP_INSTRUMENT_COUNT };

// NULL: an instrument without options.
static const char *own_name(int i) {
    return i < NAMES ? own_names[i] : gp_instruments[i - NAMES]->variable;
}

static void restore(void) {
    const char *own[OWN_NAMES];
    size_t count = 0, length = 0, whole = 0;
    for (int i = 0; i < OWN_NAMES; i++) {
        const char *value = own_name(i) ? find(own_name(i)) : NULL;
        if (value)
            own[count++] = value - strlen(own_name(i)) - 1;
    }
    char *entry = own_entry(&length, &whole);
    gp_exec_environment_keep(own, count, entry, entry ? length : 0);
    for (int i = 0; i < OWN_NAMES; i++)
        if (own_name(i))
            take_out(own_name(i));
    if (entry)
        restore_preload(entry, length, whole);
}

gp_request gp_environment_take(void) {
    gp_request request = read_request();
    if (!request.path[0] && !find("GAMEPROF_DORMANT"))
        return request;
    restore();
    if (request.is_successor && (gp_exec_environment_only_passes() ||
                                 gp_spool_tool_is_gone(gp_exec_environment_trace(), gp_exec_environment_names_tool()) ||
                                 !gp_exec_environment_own_path(request.path, sizeof request.path)))
        request.path[0] = 0;
    return request;
}

gp_request gp_environment_of(char *const *variables) {
    given = (char **)variables;
    const gp_request request = read_request();
    given = NULL;
    return request;
}
