// A file that the recorded program is about to run: an ELF file or a script.
#include "../../Sources/Recorder/Control/program_file.c"

#include <sys/mman.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    static gp_program_room room;
    union {
        char text[256];
        Elf64_Ehdr header;
    } start;
    if (file < 0)
        file = memfd_create("program", MFD_CLOEXEC);
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    const size_t length = read_at(file, &start, sizeof start, 0);
    if (length >= sizeof start.header)
        refusal_of_elf(file, &start.header, &room);
    for (size_t capacity = 1; capacity <= 256; capacity += 51) {
        char *interpreter = malloc(capacity);
        if (interpreter_of(start.text, length, interpreter, capacity) && strlen(interpreter) >= capacity)
            abort();
        free(interpreter);
    }
    return 0;
}
