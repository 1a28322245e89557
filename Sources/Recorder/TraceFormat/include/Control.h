// The conversation between a dormant recorder and gameprof attach.
//
// The recorder leaves a mapping without a file whose name says so: GP_DORMANT_NAME, and behind it the number of its signal. The
// tool listens at an abstract socket (GP_CONTROL_SOCKET, and behind it eight hexadecimal digits) and sends the signal with
// GP_CONTROL_CALL in the upper half of its value and these digits' number in the lower one. The recorder connects. Both ask the
// kernel for the other one's user.
//
// Each message is a packet of at most GP_CONTROL_LONGEST bytes. The tool sends GP_CONTROL_GREETING and the variables of the
// recording (NAME=value), each with a NUL behind it. The recorder answers GP_CONTROL_BEGUN, or GP_CONTROL_REFUSED and a sentence.
// Then the tool may ask for a mark or a memory warning, by a packet of one byte (GP_REQUEST_MARK, GP_REQUEST_WARNING). The
// recorder records until the tool sends anything else, closes the connection, or dies; it closes it when the trace is written.
//
// Each byte in the FIFO that GAMEPROF_SNAPSHOTS names (requests=PATH) is such a request, too; every other byte there asks for a
// heap snapshot.
#pragma once

#define GP_DORMANT_NAME "gameprof-dormant-1-"
#define GP_CONTROL_SOCKET "gameprof-attach-"
#define GP_CONTROL_GREETING "gameprof attach 1"

enum {
    GP_CONTROL_CALL = 0x47504154,
    GP_CONTROL_LONGEST = 16384,
    GP_CONTROL_BEGUN = '+',
    GP_CONTROL_REFUSED = '-',
    GP_REQUEST_SNAPSHOT = 's',
    GP_REQUEST_MARK = 'm',
    GP_REQUEST_WARNING = 'w',
};
