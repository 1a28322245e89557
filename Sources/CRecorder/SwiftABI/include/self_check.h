// Whether the Swift runtime of this process is laid out as the decoders under runtime/ expect.
#pragma once

// Decodes types of the standard library whose shape is known. NULL: they decode as expected, or there is no Swift
// runtime whose symbols can be seen (none, or linked statically). Otherwise one sentence (static memory). Reads
// metadata only; call gp_images_refresh before.
const char *gp_runtime_self_check(void);

// The same for reference counts, weak references and heap metadata, by an object that the runtime makes for it: it
// allocates, so nothing may be recorded meanwhile by this thread. A few hundred nanoseconds.
const char *gp_runtime_object_check(void);
