// The functions that an interposed one stands before.
#ifndef GP_NEXT_H
#define GP_NEXT_H

#include <dlfcn.h>

// The next definition of `name` after this library's. Takes the loader's lock: not in a signal handler.
#define GP_NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#endif
