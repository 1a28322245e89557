// What the Swift runtime printed when it refused something: "Fatal error: …".
#pragma once

#include <stdint.h>
#include <stdio.h>

// The program gives a text to a stream by fputs. Kept, cut at 500 bytes, if that is standard error and the text the runtime's.
void gp_runtime_message_note(const char *text, FILE *stream);

// How often the runtime warned that a continuation was deallocated without a resume.
uint32_t gp_runtime_leaked_continuations(void);

// The object of which the last one says that it escaped from its deinit; 0: of none. Async-signal-safe.
uintptr_t gp_runtime_message_escaped(void);

// The last one, "" where there is none. Async-signal-safe.
const char *gp_runtime_message(void);
