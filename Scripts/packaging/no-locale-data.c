// The data of ICU without any of it, for programs that format nothing by locale: Foundation's has 34 MB. The layout is that of
// ICU's common data: a header of 32 bytes with magic numbers and the format's name, then the number of entries.
// LOCALE_DATA is the name that the toolchain's ICU asks for, as icudt76_dat.
#include <stdint.h>

const struct {
    uint16_t header_bytes;
    uint8_t magic[2];
    uint16_t info_bytes, reserved;
    uint8_t is_big_endian, charset, unit_bytes, unused;
    char format[4];
    uint8_t format_version[4], data_version[4];
    char padding[8];
    uint32_t entries, flags, names[4];
} LOCALE_DATA __attribute__((aligned(16))) = {
    .header_bytes = 32,
    .magic = {0xda, 0x27},
    .info_bytes = 20,
    .unit_bytes = 2,
    .format = "ToCP",
    .format_version = {1},
};
