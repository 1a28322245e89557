// Where the functions of the program's Swift runtime are: in a shared library, or linked into the program.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "images.h"

// Stores the address of each function, 0: not found. Asks the loader, then the program's own symbol table. Not in a
// hook.
void gp_runtime_symbols(const char *const *names, uintptr_t *addresses, size_t count);

// Thread-local variables of libraries, found without __tls_get_addr, which may allocate memory or wait for the loader:
// a signal handler can read them, and a thread that has none yet does not get one by being looked at.

typedef struct {
    uintptr_t module;  // number of its library at the loader; 0: the program itself, relative to the thread pointer
    intptr_t offset;
} gp_thread_local;

// The variable that a function returns that does nothing else; false: its code is not known.
bool gp_thread_local_of_getter(uintptr_t function, gp_thread_local *variable);

// The first variable of the library whose code contains `address`; false: it has none. Takes the loader's lock.
bool gp_thread_local_first(uintptr_t address, gp_thread_local *variable);

// Its address in the calling thread, 0: the thread has none yet. Async-signal-safe.
uintptr_t gp_thread_local_here(const gp_thread_local *variable);
