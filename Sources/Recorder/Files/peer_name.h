// What the other end of a socket is called.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

enum { GP_PEER_LONGEST = 128 };

// "10.0.0.7:443", "[2001:db8::7]:443", "/run/server.sock", "@abstract", with a NUL; "" where the address has no such name. Its
// length. Async-signal-safe.
size_t gp_peer_write(char text[GP_PEER_LONGEST], const struct sockaddr *address, size_t length, bool with_port);
