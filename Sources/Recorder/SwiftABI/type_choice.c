
#include <string.h>

#include "swift_types.h"
#include "words.h"

enum { TYPE_NAME_BYTES = 512 };

void gp_choose_types(gp_type_choice *choice, const char *names, size_t length) {
    if (length >= sizeof choice->names)
        length = sizeof choice->names - 1;
    memcpy(choice->names, names, length);
    choice->names[length] = 0;
}

// Behind the raw identifier that begins at `name` with a backtick, whatever it holds; one without an end was cut.
static const char *raw_identifier_end(const char *name) {
    const char *end = strchr(name + 1, '`');
    return end ? end + 1 : name + strlen(name);
}

// How the character at `at` of `name` changes the number of brackets that are open there: 1, 0 or −1.
static int bracket(const char *name, const char *at) {
    const bool is_arrow = *at == '>' && at > name && at[-1] == '-';
    return *at == '<' || *at == '(' ? 1 : *at == ')' || (*at == '>' && !is_arrow) ? -1 : 0;
}

// Whether no more than the arguments of the type stand there.
static bool is_end(const char *type, const char *at) {
    if (*at != '<')
        return *at == 0;
    int depth = 0;
    do {
        if (*at == '`')
            at = raw_identifier_end(at) - 1;
        depth += bracket(type, at++);
    } while (*at && depth > 0);
    return *at == 0;
}

// "Board" names "Game.Board" and "Game.Outer.Board"; generic arguments may be left out.
static bool names(gp_word name, const char *type) {
    int depth = 0;
    for (const char *at = type; *at && name.length > 0; at++) {
        if ((at == type || (at[-1] == '.' && depth == 0)) && strncmp(at, name.text, name.length) == 0 &&
            is_end(type, at + name.length))
            return true;
        if (*at == '`')
            at = raw_identifier_end(at) - 1;
        depth += bracket(type, at);
    }
    return false;
}

// Whether a type's name ("Game.Board") is one of `names` ("Board|Other.Card").
static bool type_is_named(const char *type, const char *list) {
    for (gp_word name; gp_word_next(&list, "|", &name);)
        if (names(name, type))
            return true;
    return false;
}

bool gp_type_is_chosen(gp_type_choice *choice, uint32_t type) {
    uint8_t *verdict = &choice->verdicts[type % GP_CHOICE_VERDICTS];
    if (type < GP_CHOICE_VERDICTS && *verdict)
        return *verdict == 2;
    char name[TYPE_NAME_BYTES];
    gp_type_name_of(gp_type_metadata(type), name, sizeof name);
    bool chosen = type_is_named(name, choice->names);
    if (type < GP_CHOICE_VERDICTS)
        *verdict = chosen ? 2 : 1;
    return chosen;
}
