#ifndef C_INDEX_STORE_H
#define C_INDEX_STORE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A build's index, read by the toolchain's libIndexStore in a process of its own. That library trusts the bytes that it
 * reads: a damaged record can end the process that reads it, or let it run for ever. */

/* What is asked of the index. A record is named as its unit names it. */
enum gp_index_question {
    GP_INDEX_UNITS = 1, /* every unit; `name` is not used */
    GP_INDEX_SYMBOLS = 2, /* the symbols of the record `name` */
    GP_INDEX_OCCURRENCES = 3, /* its symbols, and where they occur */
};

struct gp_index_request {
    uint32_t question;
    const char *name;
};

/* Entries of the answer: a tag of 4 bytes, then its fields in order, integers in the machine's own order, texts as a
 * length of 4 bytes and their bytes. */
enum gp_index_entry {
    GP_INDEX_BEGIN = 1, /* request (4): what follows answers it */
    GP_INDEX_UNIT = 2, /* seconds (8), nanoseconds (8) of the unit, is system (4), main file, module */
    GP_INDEX_RECORD = 3, /* of the last unit: name */
    GP_INDEX_IMPORT = 4, /* of the last unit: name of a module that is no part of the system */
    GP_INDEX_SYMBOL = 5, /* kind (4), subkind (4), roles (8), name, USR */
    GP_INDEX_OCCURRENCE = 6, /* symbol (4): its place in the record; line (4), column (4) in bytes, roles (8) */
    GP_INDEX_FAILED = 7, /* request (4), why */
    GP_INDEX_END = 8, /* everything was answered */
};

/* Kinds of symbols: indexstore_symbol_kind_t. */
enum gp_index_kind {
    GP_INDEX_KIND_ENUM = 5,
    GP_INDEX_KIND_STRUCT = 6,
    GP_INDEX_KIND_CLASS = 7,
    GP_INDEX_KIND_PROTOCOL = 8,
    GP_INDEX_KIND_TYPEALIAS = 11,
    GP_INDEX_KIND_CASE = 15,
    GP_INDEX_KIND_PARAMETER = 25,
};

/* Subkinds of symbols that are accessors of properties: indexstore_symbol_subkind_t. */
static inline int gp_index_is_accessor(uint32_t subkind) {
    return subkind == 3 || subkind == 4 || (subkind >= 1000 && subkind <= 1003) || (subkind >= 1014 && subkind <= 1018);
}

/* What an occurrence does with its symbol: indexstore_symbol_role_t. */
enum gp_index_role {
    GP_INDEX_ROLE_DEFINITION = 1 << 1,
    GP_INDEX_ROLE_REFERENCE = 1 << 2,
    GP_INDEX_ROLE_IMPLICIT = 1 << 8,
    GP_INDEX_ROLE_EXTENDED_BY = 1 << 14,
};

/* The functions of libIndexStore that are used. */
struct gp_index_library;

/* Loads the library at that path, once for each call. NULL: it cannot be loaded, or lacks a function. */
struct gp_index_library *gp_index_load(const char *path);
void gp_index_unload(struct gp_index_library *library);

/* Path of the Swift runtime that this program runs on; NULL: it is linked in. */
const char *gp_index_runtime(void);

/* Version of the store's format that the library reads: the folder `v5` of a store holds version 5. */
unsigned gp_index_format(const struct gp_index_library *library);

/* Starts a process that answers the requests in order. The caller reads the answer from `*descriptor` until its end,
 * closes it, and ends the process with gp_index_stop. Returns 0 or an errno. */
int gp_index_start(const struct gp_index_library *library, const char *store, const struct gp_index_request *requests,
                   size_t count, int *descriptor, pid_t *process);

/* Ends the process if it still runs, and waits for it. */
void gp_index_stop(pid_t process);

#endif
