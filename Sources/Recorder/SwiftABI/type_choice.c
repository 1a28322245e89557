
#include <string.h>

#include "words.h"
#include "swift_types.h"

enum { TYPE_NAME_BYTES = 512 };

void gp_choose_types(gp_type_choice *choice, const char *names, size_t length) {
    if (length >= sizeof choice->names)
        length = sizeof choice->names - 1;
    memcpy(choice->names, names, length);
    choice->names[length] = 0;
}

// "Board" names "Game.Board" and "Game.Outer.Board"; generic arguments may be left out.
static bool names(gp_word name, const char *type, size_t type_length) {
    if (name.length > type_length || name.length == 0)
        return false;
    const char *tail = type + type_length - name.length;
    return memcmp(tail, name.text, name.length) == 0 && (tail == type || tail[-1] == '.');
}

// Whether a type's name ("Game.Board") is one of `names` ("Board|Other.Card").
static bool type_is_named(const char *type, const char *list) {
    size_t whole = strlen(type), plain = strcspn(type, "<");
    for (gp_word name; gp_word_next(&list, "|", &name);)
        if (names(name, type, whole) || names(name, type, plain))
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
