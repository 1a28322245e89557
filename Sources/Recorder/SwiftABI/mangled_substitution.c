// Abbreviations: the standard library's types by a letter, and what the name has mentioned before.
#include <string.h>

#include "mangled_parser.h"

// The types that mangled names abbreviate, each table ended by an entry without a name, and the letters of protocols.
typedef struct {
    char letter;
    char kind;  // 'V' structure, 'O' enum, 'C' class
    const char *name;
} standard_type;

// `S` and the letter.
static const standard_type standard[] = {
    {'A', 'V', "AutoreleasingUnsafeMutablePointer"},
    {'a', 'V', "Array"},
    {'b', 'V', "Bool"},
    {'D', 'V', "Dictionary"},
    {'d', 'V', "Double"},
    {'f', 'V', "Float"},
    {'h', 'V', "Set"},
    {'I', 'V', "DefaultIndices"},
    {'i', 'V', "Int"},
    {'J', 'V', "Character"},
    {'N', 'V', "ClosedRange"},
    {'n', 'V', "Range"},
    {'O', 'V', "ObjectIdentifier"},
    {'P', 'V', "UnsafePointer"},
    {'p', 'V', "UnsafeMutablePointer"},
    {'q', 'O', "Optional"},
    {'R', 'V', "UnsafeBufferPointer"},
    {'r', 'V', "UnsafeMutableBufferPointer"},
    {'S', 'V', "String"},
    {'s', 'V', "Substring"},
    {'u', 'V', "UInt"},
    {'V', 'V', "UnsafeRawPointer"},
    {'v', 'V', "UnsafeMutableRawPointer"},
    {'W', 'V', "UnsafeRawBufferPointer"},
    {'w', 'V', "UnsafeMutableRawBufferPointer"},
    {0},
};
static const char protocols[] = "BEeFGHjKkLlMmQTtUXxYyZz";

// `Sc` and the letter: the concurrency library.
static const standard_type concurrency[] = {
    {'C', 'V', "CheckedContinuation"}, {'c', 'V', "UnsafeContinuation"},
    {'E', 'V', "CancellationError"},   {'e', 'V', "UnownedSerialExecutor"},
    {'G', 'V', "TaskGroup"},           {'g', 'V', "ThrowingTaskGroup"},
    {'J', 'V', "UnownedJob"},          {'M', 'C', "MainActor"},
    {'P', 'V', "TaskPriority"},        {'S', 'V', "AsyncStream"},
    {'s', 'V', "AsyncThrowingStream"}, {'T', 'V', "Task"},
    {'t', 'V', "UnsafeCurrentTask"},   {0},
};
static const char concurrency_protocols[] = "AFfhIi", class_protocols[] = "AFfh";

static const gp_swift_type unknown_protocol = {.kind = GP_SHAPE_PROTOCOL, .witnesses = 1};
static const gp_swift_type class_protocol = {.kind = GP_SHAPE_PROTOCOL, .witnesses = 1, .class_bound = true};

static const gp_swift_type *new_nominal(gp_name_parser *p, const standard_type *table, uint8_t letter) {
    while (table->name != NULL && table->letter != letter)
        table++;
    gp_swift_type *nominal = table->name == NULL ? NULL : gp_parse_new_type(p, GP_SHAPE_NOMINAL, 0);
    if (nominal != NULL) {
        nominal->letter = table->kind;
        nominal->name = table->name;
        nominal->module = "Swift";
    }
    return nominal;
}

static bool push_standard(gp_name_parser *p, const standard_type *table, const char *of_protocols, uint8_t letter,
                          unsigned repeat) {
    const bool is_protocol = letter != 0 && strchr(of_protocols, letter) != NULL;
    const bool is_class = is_protocol && table == concurrency && strchr(class_protocols, letter) != NULL;
    const gp_swift_type *type = is_class      ? &class_protocol
                                : is_protocol ? &unknown_protocol
                                              : new_nominal(p, table, letter);
    if (type == NULL || repeat > GP_NAME_STACK)
        return gp_parse_fail(p);
    for (unsigned i = 0; i < repeat; i++)
        gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
    return !p->failed;
}

bool gp_parse_standard_substitution(gp_name_parser *p) {
    unsigned repeat = gp_parse_natural(p);
    uint8_t letter = gp_parse_byte(p);
    switch (letter) {
    case 'g':
        return gp_parse_optional(p);
    case 'o':
        return gp_parse_push(p, GP_ITEM_MODULE, NULL, "__C");
    case 'C':
        return gp_parse_push(p, GP_ITEM_MODULE, NULL, "__C_Synthesized");
    case 'c':
        return push_standard(p, concurrency, concurrency_protocols, gp_parse_byte(p), repeat == 0 ? 1 : repeat);
    default:
        return push_standard(p, standard, protocols, letter, repeat == 0 ? 1 : repeat);
    }
}

// `A`, then lower-case letters (more follow) and an upper-case one (the last), each with an optional repeat count.
bool gp_parse_substitution(gp_name_parser *p) {
    unsigned repeat = 0;
    for (;;) {
        uint8_t letter = gp_parse_byte(p);
        unsigned number;
        bool last = true;
        if (letter >= 'a' && letter <= 'z') {
            number = letter - 'a';
            last = false;
        } else if (letter >= 'A' && letter <= 'Z') {
            number = letter - 'A';
        } else if (letter == '_') {
            number = repeat + 27;
            repeat = 0;
        } else if (letter >= '0' && letter <= '9') {
            p->next--;
            repeat = gp_parse_natural(p);
            continue;
        } else {
            return gp_parse_fail(p);
        }
        if (number >= p->substitution_count || repeat > GP_NAME_STACK)
            return gp_parse_fail(p);
        gp_name_item again = p->substitutions[number];
        for (unsigned i = 0; i < (repeat == 0 ? 1 : repeat); i++)
            gp_parse_push(p, again.kind, again.type, again.text);
        repeat = 0;
        if (last)
            return !p->failed;
    }
}
