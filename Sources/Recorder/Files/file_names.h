// The files, sockets and pipes that the program used: each has a number, and the trace says each once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct gp_thread;

enum { GP_FILE_NAME_LONGEST = 4096 };

// The number of the name, 1, 2, 3 …; the first use writes a GP_FILE_NAME. Names beyond those that the recorder keeps have one
// number for each kind. 0: there is no memory. `kind`: GP_FILE_*.
uint32_t gp_file_number(struct gp_thread *thread, uint8_t kind, const char *name);

// A recording begins: writes the names that an earlier one has met.
void gp_file_names_write_again(struct gp_thread *thread);

// The name of a number; NULL: it has none of its own.
const char *gp_file_name_of(uint32_t number);

// What the other end of a socket is called.

enum { GP_PEER_LONGEST = 128 };

// "10.0.0.7:443", "[2001:db8::7]:443", "/run/server.sock", "@abstract", with a NUL; "" where the address has no such name. Its
// length. Async-signal-safe.
size_t gp_peer_write(char text[GP_PEER_LONGEST], const struct sockaddr *address, size_t length, bool with_port);
