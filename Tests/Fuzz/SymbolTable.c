// The symbol table of the program's file.
#include "../../Sources/Recorder/Modules/runtime_symbols.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"swift_retain", "work", ""};
    uintptr_t addresses[3] = {0};
    uint8_t *bytes = malloc(size);
    memcpy(bytes, data, size);
    search((file){bytes, size}, names, addresses, 3);
    free(bytes);
    return 0;
}
