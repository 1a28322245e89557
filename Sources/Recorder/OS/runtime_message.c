#include "runtime_message.h"

#include <stdatomic.h>
#include <string.h>

#include "words.h"

enum { LONGEST = 500 };

// How the runtime's sentences of its end can be told from a line of the program's.
static const char *const marks[] = {"Fatal error",      "atal access conflict", "Simultaneous accesses",
                                    "deallocated with", "Could not cast value", "Precondition failed",
                                    "Assertion failed"};

// Two threads that end the program at once may mix their sentences; a handler reads what is there.
static char message[LONGEST + 1];

static _Atomic uint32_t leaked_continuations;

static int is_of_runtime(const char *text) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strstr(text, marks[i]))
            return 1;
    return 0;
}

void gp_runtime_message_note(const char *text, FILE *stream) {
    if (stream != stderr)
        return;
    // A warning: the program goes on, and what ends it later has another reason.
    if (strstr(text, "leaked its continuation"))
        atomic_fetch_add(&leaked_continuations, 1);
    if (!is_of_runtime(text))
        return;
    const size_t length = strnlen(text, LONGEST);
    memcpy(message, text, length);
    message[length] = 0;
}

uint32_t gp_runtime_leaked_continuations(void) {
    return atomic_load(&leaked_continuations);
}

const char *gp_runtime_message(void) {
    return message;
}

// "Object 0x55d9 of class Session deallocated with non-zero retain count 2. …"
uintptr_t gp_runtime_message_escaped(void) {
    static const char start[] = "Object 0x";
    if (strncmp(message, start, sizeof start - 1) != 0 || !strstr(message, "deallocated with non-zero retain count"))
        return 0;
    const char *at = message + sizeof start - 1;
    return gp_hexadecimal_take(&at);
}
