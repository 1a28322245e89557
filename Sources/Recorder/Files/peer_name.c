#include "file_names.h"

#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/un.h>

#include "words.h"

static char *write_byte_groups(char *at, const uint8_t bytes[4]) {
    for (int i = 0; i < 4; i++) {
        at += gp_number_write(at, bytes[i]);
        *at++ = '.';
    }
    return at - 1;
}

// As RFC 5952 has it: the first longest run of two or more zeros is left out.
static char *write_groups(char *at, const uint8_t bytes[16]) {
    unsigned groups[8];
    int gap = 8, gap_length = 1;
    for (int i = 0, zeros = 0; i < 8; i++) {
        groups[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
        zeros = groups[i] ? 0 : zeros + 1;
        if (zeros > gap_length)
            gap = i + 1 - zeros, gap_length = zeros;
    }
    for (int i = 0; i < 8; i++) {
        if (i == gap) {
            *at++ = ':';
            i += gap_length - 1;
            if (i == 7)
                *at++ = ':';
            continue;
        }
        if (i > 0)
            *at++ = ':';
        at = gp_hexadecimal_write(at, groups[i]);
    }
    return at;
}

static char *write_local(char *at, const char *path, size_t length) {
    // An abstract name begins with a NUL and may have more; a path ends at its first.
    const size_t end = path[0] ? strnlen(path, length) : length;
    for (size_t i = 0; i < end; i++)
        *at++ = path[i] ? path[i] : '@';
    return at;
}

size_t gp_peer_write(char text[GP_PEER_LONGEST], const struct sockaddr *address, size_t length, bool with_port) {
    struct sockaddr_storage copy = {0};
    memcpy(&copy, address, length < sizeof copy ? length : sizeof copy);
    char *at = text;
    uint16_t port = 0;
    if (copy.ss_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *internet = (const struct sockaddr_in *)&copy;
        at = write_byte_groups(at, (const uint8_t *)&internet->sin_addr);
        port = internet->sin_port;
    } else if (copy.ss_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
        const struct sockaddr_in6 *internet = (const struct sockaddr_in6 *)&copy;
        const uint8_t *bytes = internet->sin6_addr.s6_addr;
        port = internet->sin6_port;
        if (IN6_IS_ADDR_V4MAPPED(&internet->sin6_addr)) {
            at = write_byte_groups(at, bytes + 12);
        } else {
            *at = '[';
            at = write_groups(at + with_port, bytes);
            if (with_port)
                *at++ = ']';
        }
    } else if (copy.ss_family == AF_UNIX && length > offsetof(struct sockaddr_un, sun_path)) {
        const size_t room = length - offsetof(struct sockaddr_un, sun_path);
        at = write_local(at, ((const struct sockaddr_un *)&copy)->sun_path, room < 108 ? room : 108);
    }
    if (port && with_port) {
        *at++ = ':';
        at += gp_number_write(at, ntohs(port));
    }
    *at = 0;
    return (size_t)(at - text);
}
