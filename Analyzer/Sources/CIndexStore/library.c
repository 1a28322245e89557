#define _GNU_SOURCE
#include "library.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct gp_index_library *gp_index_load(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return NULL;
    struct gp_index_library *library = calloc(1, sizeof *library);
    bool is_complete = library != NULL;
#define LOAD(name)                                                                                                     \
    if (is_complete) {                                                                                                 \
        *(void **)&library->name = dlsym(handle, "indexstore_" #name);                                                 \
        is_complete = library->name != NULL;                                                                           \
    }
    LOAD(format_version)
    LOAD(store_create)
    LOAD(error_get_description)
    LOAD(error_dispose)
    LOAD(store_units_apply_f)
    LOAD(unit_reader_create)
    LOAD(unit_reader_dispose)
    LOAD(unit_reader_is_system_unit)
    LOAD(unit_reader_get_main_file)
    LOAD(unit_reader_get_module_name)
    LOAD(unit_reader_get_modification_time)
    LOAD(unit_reader_dependencies_apply_f)
    LOAD(unit_dependency_get_kind)
    LOAD(unit_dependency_is_system)
    LOAD(unit_dependency_get_name)
    LOAD(unit_dependency_get_modulename)
    LOAD(record_reader_create)
    LOAD(record_reader_dispose)
    LOAD(record_reader_symbols_apply_f)
    LOAD(record_reader_occurrences_apply_f)
    LOAD(symbol_get_kind)
    LOAD(symbol_get_subkind)
    LOAD(symbol_get_roles)
    LOAD(symbol_get_name)
    LOAD(symbol_get_usr)
    LOAD(occurrence_get_symbol)
    LOAD(occurrence_get_roles)
    LOAD(occurrence_get_line_col)
#undef LOAD
    if (!is_complete) {
        free(library);
        dlclose(handle);
        return NULL;
    }
    library->handle = handle;
    return library;
}

void gp_index_unload(struct gp_index_library *library) {
    dlclose(library->handle);
    free(library);
}

unsigned gp_index_format(const struct gp_index_library *library) {
    return library->format_version();
}

const char *gp_index_runtime(void) {
    Dl_info found;
    void *symbol = dlsym(RTLD_DEFAULT, "swift_retain");
    if (symbol == NULL || dladdr(symbol, &found) == 0)
        return NULL;
    return found.dli_fname != NULL && strstr(found.dli_fname, "libswiftCore") != NULL ? found.dli_fname : NULL;
}
