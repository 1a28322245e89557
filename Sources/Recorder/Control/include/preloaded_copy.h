// A program may link a recorder and be run under a preloaded one. Its own functions come before those of the preloaded copy, so
// that the linked recorder is the first that is called: it takes what the environment asks for and records; the preloaded copy
// finds that nothing is asked for. What it knows or must do all the same has a name by which the linked one finds it.
#pragma once

#include <dlfcn.h>

// A function of the preloaded copy; NULL: there is none. Takes the loader's lock.
#ifdef GP_PRELOADED
#define GP_OF_PRELOADED_COPY(name) ((__typeof__(&name))NULL)
#else
#define GP_OF_PRELOADED_COPY(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#endif
