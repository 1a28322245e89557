#pragma once

// Asks for the line of the cache that will be read. Any address may be given.
static inline void gp_prefetch(const void *address) {
    __builtin_prefetch(address);
}
