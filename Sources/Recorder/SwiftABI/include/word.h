// Reading words of memory, and the relative pointers of Swift's metadata.
#pragma once

#include <stdint.h>
#include <string.h>

static inline uintptr_t gp_word_at(uintptr_t address) {
    return *(const volatile uintptr_t *)address;
}

static inline uint32_t gp_u32_at(uintptr_t address) {
    uint32_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}

static inline uint16_t gp_u16_at(uintptr_t address) {
    uint16_t value;
    memcpy(&value, (const void *)address, sizeof value);
    return value;
}

// The address that the 32-bit relative pointer at `address` names, 0: none.
static inline uintptr_t gp_relative_at(uintptr_t address) {
    int32_t distance = (int32_t)gp_u32_at(address);
    return distance == 0 ? 0 : address + (intptr_t)distance;
}

// The same for pointers whose lowest bit says that they name a pointer to the target.
static inline uintptr_t gp_relative_indirectable_at(uintptr_t address) {
    uintptr_t target = gp_relative_at(address);
    return (target & 1) ? gp_word_at(target & ~(uintptr_t)1) : target;
}
