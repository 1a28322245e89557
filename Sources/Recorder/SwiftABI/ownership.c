// The one place that knows what a stored reference owns.
#include "type_layout.h"

#include <string.h>

#include "TraceFormat.h"

uint8_t gp_ownership_of_storage(char letter) {
    return letter == 'w' ? GP_OWN_WEAK : letter == 'o' ? GP_OWN_UNOWNED : GP_OWN_UNMANAGED;
}

bool gp_is_unowning_pointer(const char *name) {
    static const char *const names[] = {
        "Unmanaged",
        "OpaquePointer",
        "UnsafePointer",
        "UnsafeMutablePointer",
        "UnsafeRawPointer",
        "UnsafeMutableRawPointer",
        "AutoreleasingUnsafeMutablePointer",
        "UnsafeContinuation",
        "UnownedJob",
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
