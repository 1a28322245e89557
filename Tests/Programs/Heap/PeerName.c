// Names of addresses beside those of inet_ntop, and of addresses that are cut short.
#include <arpa/inet.h>
#include <string.h>
#include <sys/un.h>

#include "../../../Sources/Recorder/Files/file_names.h"
#include "Check.h"

static char text[GP_PEER_LONGEST];

static void six(const char *host) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(443)};
    inet_pton(AF_INET6, host, &address.sin6_addr);
    char expected[INET6_ADDRSTRLEN], with_port[64];
    inet_ntop(AF_INET6, &address.sin6_addr, expected, sizeof expected);
    snprintf(with_port, sizeof with_port, "[%s]:443", expected);
    CHECK(gp_peer_write(text, (struct sockaddr *)&address, sizeof address, true) == strlen(with_port));
    CHECK(strcmp(text, with_port) == 0);
    gp_peer_write(text, (struct sockaddr *)&address, sizeof address, false);
    CHECK(strcmp(text, expected) == 0);
    CHECK(gp_peer_write(text, (struct sockaddr *)&address, sizeof address - 5, true) == 0);
}

static void local(const char *path, size_t length, const char *expected) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, length);
    gp_peer_write(text, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + length, true);
    CHECK(strcmp(text, expected) == 0);
}

int main(void) {
    const char *hosts[] = {"::",
                           "::1",
                           "1::",
                           "2001:db8::7",
                           "1:0:0:2::3",
                           "1:0:2:3:4:5:6:7",
                           "0:1:0:0:0:1:0:0",
                           "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                           "0:0:1::"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        six(hosts[i]);
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(65535)};
    inet_pton(AF_INET, "255.0.10.255", &four.sin_addr);
    gp_peer_write(text, (struct sockaddr *)&four, sizeof four, true);
    CHECK(strcmp(text, "255.0.10.255:65535") == 0);
    struct sockaddr_in6 mapped = {.sin6_family = AF_INET6, .sin6_port = htons(80)};
    inet_pton(AF_INET6, "::ffff:10.0.0.7", &mapped.sin6_addr);
    gp_peer_write(text, (struct sockaddr *)&mapped, sizeof mapped, true);
    CHECK(strcmp(text, "10.0.0.7:80") == 0);
    local("/run/server", 11, "/run/server");
    local("/run/server\0more", 16, "/run/server");
    local("\0name", 5, "@name");
    local("", 0, "");
    char longest[108];
    memset(longest, 'x', sizeof longest);
    local(longest, sizeof longest, memcpy((char[109]){0}, longest, sizeof longest));
    CHECK(gp_peer_write(text, (struct sockaddr *)&four, 1, true) == 0);
    puts("passed");
}
