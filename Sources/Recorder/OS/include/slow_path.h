// What a hook calls seldom. Such a function keeps all registers of its caller, so that the hook itself need not save any
// for a call that hardly ever happens.
#pragma once

#define GP_SLOW_PATH __attribute__((noinline, cold, preserve_most))

#define GP_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define GP_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
