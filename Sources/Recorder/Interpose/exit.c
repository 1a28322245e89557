// _exit and _Exit run no exit handler: the recording ends here.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recording.h"
#include "next.h"

GP_EXPORT _Noreturn void _exit(int status) {
    gp_recording_finish(status & 0xff, false);
    for (;;)
        syscall(SYS_exit_group, status);
}

GP_EXPORT _Noreturn void _Exit(int status) {
    _exit(status);
}
