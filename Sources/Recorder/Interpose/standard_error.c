// The Swift runtime prints by fputs why it ends a program.
#ifndef GP_PRELOADED
#include <stdio.h>

#include "runtime_message.h"

// fputs itself; libc.a has it too.
extern int _IO_fputs(const char *text, FILE *stream);

__attribute__((visibility("default"))) int fputs(const char *text, FILE *stream) {
    gp_runtime_message_note(text, stream);
    return _IO_fputs(text, stream);
}
#endif
