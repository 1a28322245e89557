#ifndef C_INDEX_STORE_LIBRARY_H
#define C_INDEX_STORE_LIBRARY_H

#include "CIndexStore.h"
#include <stdbool.h>

/* indexstore_string_ref_t */
struct index_text {
    const char *data;
    size_t length;
};

typedef void *index_object;
typedef bool index_applier(void *context, index_object object);
typedef bool index_unit_applier(void *context, struct index_text name);

/* The counterparts are `indexstore_` and the name of the field. */
struct gp_index_library {
    void *handle;
    unsigned (*format_version)(void);
    index_object (*store_create)(const char *path, index_object *error);
    const char *(*error_get_description)(index_object error);
    void (*error_dispose)(index_object error);
    bool (*store_units_apply_f)(index_object store, unsigned sorted, void *context, index_unit_applier *applier);
    index_object (*unit_reader_create)(index_object store, const char *name, index_object *error);
    void (*unit_reader_dispose)(index_object unit);
    bool (*unit_reader_is_system_unit)(index_object unit);
    struct index_text (*unit_reader_get_main_file)(index_object unit);
    struct index_text (*unit_reader_get_module_name)(index_object unit);
    void (*unit_reader_get_modification_time)(index_object unit, int64_t *seconds, int64_t *nanoseconds);
    bool (*unit_reader_dependencies_apply_f)(index_object unit, void *context, index_applier *applier);
    unsigned (*unit_dependency_get_kind)(index_object dependency);
    bool (*unit_dependency_is_system)(index_object dependency);
    struct index_text (*unit_dependency_get_name)(index_object dependency);
    struct index_text (*unit_dependency_get_modulename)(index_object dependency);
    index_object (*record_reader_create)(index_object store, const char *name, index_object *error);
    void (*record_reader_dispose)(index_object record);
    bool (*record_reader_symbols_apply_f)(index_object record, bool nocache, void *context, index_applier *applier);
    bool (*record_reader_occurrences_apply_f)(index_object record, void *context, index_applier *applier);
    unsigned (*symbol_get_kind)(index_object symbol);
    unsigned (*symbol_get_subkind)(index_object symbol);
    uint64_t (*symbol_get_roles)(index_object symbol);
    struct index_text (*symbol_get_name)(index_object symbol);
    struct index_text (*symbol_get_usr)(index_object symbol);
    index_object (*occurrence_get_symbol)(index_object occurrence);
    uint64_t (*occurrence_get_roles)(index_object occurrence);
    void (*occurrence_get_line_col)(index_object occurrence, unsigned *line, unsigned *column);
};

/* Answers the requests on the descriptor. Runs in a process of its own. */
void gp_index_answer(const struct gp_index_library *library, const char *store, const struct gp_index_request *requests,
                     size_t count, int descriptor);

#endif
