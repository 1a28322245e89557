#define _GNU_SOURCE
#include "library.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* indexstore_unit_dependency_kind_t */
enum { DEPENDENCY_UNIT = 1, DEPENDENCY_RECORD = 2 };

/* A symbol of the record at hand, by its address in the library, and its place in the answer. */
struct numbered {
    index_object symbol;
    uint32_t number;
};

struct answer {
    const struct gp_index_library *library;
    index_object store;
    FILE *output;
    struct numbered *symbols;
    size_t symbol_count;
    size_t symbol_room;
    bool is_out_of_memory;
};

static void put_4(struct answer *answer, uint32_t value) {
    fwrite(&value, sizeof value, 1, answer->output);
}

static void put_8(struct answer *answer, uint64_t value) {
    fwrite(&value, sizeof value, 1, answer->output);
}

static void put_text(struct answer *answer, struct index_text text) {
    put_4(answer, (uint32_t)text.length);
    fwrite(text.data, 1, (uint32_t)text.length, answer->output);
}

static void put_failure(struct answer *answer, uint32_t request, index_object error) {
    const char *why = error == NULL ? "" : answer->library->error_get_description(error);
    put_4(answer, GP_INDEX_FAILED);
    put_4(answer, request);
    put_text(answer, (struct index_text){why, strlen(why)});
    if (error != NULL)
        answer->library->error_dispose(error);
}

/* A text of the library as a C string; false: it does not fit. */
static bool copy_text(struct index_text text, char *buffer, size_t size) {
    if (text.length >= size)
        return false;
    memcpy(buffer, text.data, text.length);
    buffer[text.length] = '\0';
    return true;
}

static bool put_dependency(void *context, index_object dependency) {
    struct answer *answer = context;
    const struct gp_index_library *library = answer->library;
    unsigned kind = library->unit_dependency_get_kind(dependency);
    if (kind == DEPENDENCY_RECORD) {
        put_4(answer, GP_INDEX_RECORD);
        put_text(answer, library->unit_dependency_get_name(dependency));
    } else if (kind == DEPENDENCY_UNIT && !library->unit_dependency_is_system(dependency)) {
        put_4(answer, GP_INDEX_IMPORT);
        put_text(answer, library->unit_dependency_get_modulename(dependency));
    }
    return true;
}

static bool put_unit(void *context, struct index_text name) {
    struct answer *answer = context;
    const struct gp_index_library *library = answer->library;
    char text[1024];
    if (!copy_text(name, text, sizeof text))
        return true;
    index_object error = NULL;
    index_object unit = library->unit_reader_create(answer->store, text, &error);
    if (unit == NULL) {
        put_failure(answer, 0, error);
        return true;
    }
    bool is_system = library->unit_reader_is_system_unit(unit);
    int64_t seconds = 0, nanoseconds = 0;
    library->unit_reader_get_modification_time(unit, &seconds, &nanoseconds);
    put_4(answer, GP_INDEX_UNIT);
    put_8(answer, (uint64_t)seconds);
    put_8(answer, (uint64_t)nanoseconds);
    put_4(answer, is_system);
    put_text(answer, library->unit_reader_get_main_file(unit));
    put_text(answer, library->unit_reader_get_module_name(unit));
    if (!is_system)
        library->unit_reader_dependencies_apply_f(unit, answer, put_dependency);
    library->unit_reader_dispose(unit);
    fflush(answer->output);
    return true;
}

static bool put_symbol(void *context, index_object symbol) {
    struct answer *answer = context;
    const struct gp_index_library *library = answer->library;
    if (answer->symbol_count == answer->symbol_room) {
        size_t room = answer->symbol_room * 2 + 256;
        struct numbered *more = realloc(answer->symbols, room * sizeof *more);
        answer->is_out_of_memory = more == NULL;
        if (more == NULL)
            return false;
        answer->symbols = more;
        answer->symbol_room = room;
    }
    answer->symbols[answer->symbol_count] = (struct numbered){symbol, (uint32_t)answer->symbol_count};
    answer->symbol_count++;
    put_4(answer, GP_INDEX_SYMBOL);
    put_4(answer, library->symbol_get_kind(symbol));
    put_4(answer, library->symbol_get_subkind(symbol));
    put_8(answer, library->symbol_get_roles(symbol));
    put_text(answer, library->symbol_get_name(symbol));
    put_text(answer, library->symbol_get_usr(symbol));
    return true;
}

static int by_address(const void *left, const void *right) {
    uintptr_t one = (uintptr_t)((const struct numbered *)left)->symbol;
    uintptr_t other = (uintptr_t)((const struct numbered *)right)->symbol;
    return (one > other) - (one < other);
}

static bool put_occurrence(void *context, index_object occurrence) {
    struct answer *answer = context;
    const struct gp_index_library *library = answer->library;
    uint64_t roles = library->occurrence_get_roles(occurrence);
    if ((roles & GP_INDEX_ROLE_IMPLICIT) != 0)
        return true;
    if ((roles & (GP_INDEX_ROLE_DEFINITION | GP_INDEX_ROLE_REFERENCE)) == 0)
        return true;
    struct numbered key = {library->occurrence_get_symbol(occurrence), 0};
    const struct numbered *found =
        bsearch(&key, answer->symbols, answer->symbol_count, sizeof *answer->symbols, by_address);
    if (found == NULL)
        return true;
    unsigned line = 0, column = 0;
    library->occurrence_get_line_col(occurrence, &line, &column);
    put_4(answer, GP_INDEX_OCCURRENCE);
    put_4(answer, found->number);
    put_4(answer, line);
    put_4(answer, column);
    put_8(answer, roles);
    return true;
}

static void put_record(struct answer *answer, uint32_t number, const struct gp_index_request *request) {
    const struct gp_index_library *library = answer->library;
    index_object error = NULL;
    index_object record = library->record_reader_create(answer->store, request->name, &error);
    if (record == NULL) {
        put_failure(answer, number, error);
        return;
    }
    answer->symbol_count = 0;
    library->record_reader_symbols_apply_f(record, false, answer, put_symbol);
    if (answer->is_out_of_memory) {
        put_failure(answer, number, NULL);
    } else if (request->question == GP_INDEX_OCCURRENCES) {
        qsort(answer->symbols, answer->symbol_count, sizeof *answer->symbols, by_address);
        library->record_reader_occurrences_apply_f(record, answer, put_occurrence);
    }
    library->record_reader_dispose(record);
}

void gp_index_answer(const struct gp_index_library *library, const char *store, const struct gp_index_request *requests,
                     size_t count, int descriptor) {
    struct answer answer = {.library = library, .output = fdopen(descriptor, "w")};
    if (answer.output == NULL)
        return;
    index_object error = NULL;
    answer.store = library->store_create(store, &error);
    if (answer.store == NULL) {
        put_failure(&answer, 0, error);
        fflush(answer.output);
        return;
    }
    for (size_t index = 0; index < count; index++) {
        put_4(&answer, GP_INDEX_BEGIN);
        put_4(&answer, (uint32_t)index);
        fflush(answer.output);
        if (requests[index].question == GP_INDEX_UNITS) {
            library->store_units_apply_f(answer.store, 0, &answer, put_unit);
        } else {
            put_record(&answer, (uint32_t)index, &requests[index]);
        }
    }
    put_4(&answer, GP_INDEX_END);
    fflush(answer.output);
}
