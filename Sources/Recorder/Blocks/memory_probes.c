#include "memory_probes.h"

#define SEMAPHORE __attribute__((section(".probes"), used, visibility("hidden")))

SEMAPHORE volatile uint16_t otel_memory_alloc_semaphore;
SEMAPHORE volatile uint16_t otel_memory_free_semaphore;

// A nop, and a note of version 3 that says where it is, by which word the address may be corrected (prelink), where the
// semaphore is, the names of provider and probe, and where each argument stands: size@place.
#define PROBE(name, arguments, ...)                                                                                    \
    __asm__ volatile("990: nop\n"                                                                                      \
                     ".pushsection .note.stapsdt, \"?\", \"note\"\n"                                                   \
                     ".balign 4\n"                                                                                     \
                     ".4byte 992f - 991f, 994f - 993f, 3\n"                                                            \
                     "991: .asciz \"stapsdt\"\n"                                                                       \
                     "992: .balign 4\n"                                                                                \
                     "993: .8byte 990b, _.stapsdt.base, otel_memory_" name "_semaphore\n"                              \
                     ".asciz \"otel_memory\"\n"                                                                        \
                     ".asciz \"" name "\"\n"                                                                           \
                     ".asciz \"" arguments "\"\n"                                                                      \
                     "994: .balign 4\n"                                                                                \
                     ".popsection\n"                                                                                   \
                     ".ifndef _.stapsdt.base\n"                                                                        \
                     ".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n"                       \
                     ".weak _.stapsdt.base\n"                                                                          \
                     ".hidden _.stapsdt.base\n"                                                                        \
                     "_.stapsdt.base: .space 1\n"                                                                      \
                     ".size _.stapsdt.base, 1\n"                                                                       \
                     ".popsection\n"                                                                                   \
                     ".endif\n"                                                                                        \
                     :                                                                                                 \
                     : __VA_ARGS__                                                                                     \
                     : "memory")

// Each probe is one place: a function that is inlined nowhere.
__attribute__((noinline)) void gp_memory_alloc_probe(uint64_t address, uint64_t size, uint64_t weighted) {
    PROBE("alloc", "8@%0 8@%1 8@%2", "r"(address), "r"(size), "r"(weighted));
}

__attribute__((noinline)) void gp_memory_free_probe(uint64_t address) {
    PROBE("free", "8@%0", "r"(address));
}
