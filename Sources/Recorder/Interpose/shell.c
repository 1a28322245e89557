// system and popen start a shell inside the C library, past posix_spawn and with the program's environment, which stays as it
// is. Where children are followed the command puts the recorder's variables into the environment of a second shell, which
// takes the first one's place.
#ifdef GP_PRELOADED
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "exec_environment.h"
#include "files.h"
#include "next.h"
#include "exec_propagation.h"

static const char shell[] = "/bin/sh";

enum { LONGEST_ARGUMENT = 128 << 10 };  // MAX_ARG_STRLEN of the kernel

// The bytes of the command for the second shell; 0: it is not followed, which is noted for the tool.
static size_t size_of_followed(const char *line) {
    if (!line || gp_exec_by_spawn(shell, false) != GP_SUCCESSOR_RECORDED)
        return 0;
    const size_t size = gp_exec_environment_command_size(line);
    if (size <= LONGEST_ARGUMENT)
        return size;
    gp_exec_refused(shell, "was given a command that is too long");
    return 0;
}

// The result of `call`, in which `command` is `line` or the command for the second shell.
#define WITH_COMMAND(line, call)                                                                                       \
    ({                                                                                                                 \
        const size_t size = size_of_followed(line);                                                                    \
        void *room = size ? GP_ROOM(size) : NULL;                                                                      \
        const char *command = room ? gp_exec_environment_command(line, room) : line;                                   \
        __typeof__(call) result = call;                                                                                \
        int error = errno;                                                                                             \
        if (room)                                                                                                      \
            GP_LEAVE_ROOM(room, size);                                                                                 \
        errno = error;                                                                                                 \
        result;                                                                                                        \
    })

GP_EXPORT int system(const char *line) {
    __typeof__(&system) next = GP_NEXT(system);
    return WITH_COMMAND(line, next(command));
}

GP_EXPORT FILE *popen(const char *line, const char *mode) {
    __typeof__(&popen) next = GP_NEXT(popen);
    const uint64_t began = gp_files_are_recorded() ? gp_file_ticks() : 0;
    FILE *const stream = WITH_COMMAND(line, next(command, mode));
    if (began) {
        const gp_file_call call = {GP_CALLER_REGISTERS(), began, stream ? 0 : errno};
        gp_file_opened(stream ? fileno(stream) : -1, GP_FILE_PIPE, -1, "pipe", call);
    }
    return stream;
}
#endif
