// Included before every file of the preload library, which a glibc older than the one at hand has to load too. Functions
// that moved into libc.so.6 with glibc 2.34 have two versions there; the newer one would be asked for. Those from before
// stand in libdl.so.2 and libpthread.so.0 of an older glibc. `Scripts/check-glibc` says what the library asks for.
#pragma once

#if defined __x86_64__
__asm__(".symver dladdr, dladdr@GLIBC_2.2.5");
__asm__(".symver dlsym, dlsym@GLIBC_2.2.5");
__asm__(".symver pthread_attr_setstacksize, pthread_attr_setstacksize@GLIBC_2.2.5");
__asm__(".symver pthread_key_create, pthread_key_create@GLIBC_2.2.5");
__asm__(".symver pthread_setspecific, pthread_setspecific@GLIBC_2.2.5");
__asm__(".symver __pthread_register_cancel, __pthread_register_cancel@GLIBC_2.3.3");
__asm__(".symver __pthread_unregister_cancel, __pthread_unregister_cancel@GLIBC_2.3.3");
__asm__(".symver __pthread_unwind_next, __pthread_unwind_next@GLIBC_2.3.3");
#endif
