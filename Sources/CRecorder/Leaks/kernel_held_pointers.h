// Addresses that the kernel keeps for the program until it gives them back: what epoll_ctl was told with a descriptor, and
// what timer_create was told to hand to a signal's handler. A program may have no other reference to that memory.
#pragma once

#include <stdint.h>

// Calls `visit` with copies of such words. `process`: the one that was frozen; its timers are not the copy's. For the
// frozen child: asks the kernel once.
void gp_kernel_held_pointers_each(uint32_t process, void (*visit)(uintptr_t start, uintptr_t end, void *context),
                                  void *context);
