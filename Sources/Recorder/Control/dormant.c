#include "dormant.h"

#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "Control.h"
#include "CRecorderInterface.h"
#include "file.h"
#include "heap.h"
#include "images.h"
#include "instruments.h"
#include "kernel_signals.h"
#include "own_thread.h"
#include "read_clock.h"
#include "recording.h"
#include "rule_cache.h"
#include "sampler.h"
#include "stack.h"
#include "swift_types.h"
#include "system.h"
#include "task_list.h"
#include "thread.h"
#include "words.h"

enum { STACK_BYTES = 1 << 20, VARIABLES_MOST = 32, LOOK_MS = 500, GREETING_MS = 5000, FRAMES_MOST = 256 };

static _Atomic bool is_awake;
static _Atomic uint32_t also_called;  // by another tool, as the number of its socket; 0: by none
static char message[GP_CONTROL_LONGEST];  // what is recorded, as long as it is

static bool is_of_user(long connection) {
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    return gp_system(getsockopt, connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == 0 || peer.uid == (uid_t)gp_system(geteuid, 0));
}

// Negative: nobody is there who may ask.
static long connect_to(uint32_t number) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *end = (char *)memcpy(address.sun_path + 1, GP_CONTROL_SOCKET, sizeof GP_CONTROL_SOCKET - 1);
    end += sizeof GP_CONTROL_SOCKET - 1;
    for (int shift = 28; shift >= 0; shift -= 4)
        *end++ = "0123456789abcdef"[number >> shift & 15];
    long connection = gp_system(socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connection < 0)
        return connection;
    connection = gp_file_move_high((int)connection);
    if (gp_system(connect, connection, &address, end - (char *)&address) == 0 && is_of_user(connection))
        return connection;
    gp_system(close, connection);
    return -1;
}

static void answer(long connection, char kind, const char *sentence) {
    struct iovec parts[] = {{&kind, 1}, {(void *)sentence, strlen(sentence)}};
    const struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};
    gp_system(sendmsg, connection, &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Whether the tool has sent something, or is gone.
static bool is_spoken_to(long connection, uint64_t milliseconds) {
    struct pollfd poll = {.fd = (int)connection, .events = POLLIN};
    const struct timespec limit = gp_timespec(milliseconds * GP_MILLISECOND_NS);
    return gp_system(ppoll, &poll, 1, &limit, NULL, 0) > 0;
}

static void turn_away(uint32_t number) {
    const long connection = connect_to(number);
    if (connection < 0)
        return;
    // A greeting that nobody has read would take the answer's place at the close.
    char ignored;
    if (is_spoken_to(connection, GREETING_MS))
        gp_system(recvfrom, connection, &ignored, sizeof ignored, 0, NULL, NULL);
    answer(connection, GP_CONTROL_REFUSED, "Another gameprof attach records the process.");
    gp_system(close, connection);
}

// Reads the greeting and divides it into variables. NULL, or why not.
static const char *read_variables(long connection, char *variables[VARIABLES_MOST]) {
    const long size = is_spoken_to(connection, GREETING_MS)
                          ? gp_system(recvfrom, connection, message, sizeof message, MSG_TRUNC, NULL, NULL)
                          : 0;
    if (size < (long)sizeof GP_CONTROL_GREETING || size > (long)sizeof message || message[size - 1] ||
        strcmp(message, GP_CONTROL_GREETING) != 0)
        return "The recorder in the process is of another version than gameprof.";
    size_t count = 0;
    for (char *at = message + strlen(message) + 1; at < message + size && count + 1 < VARIABLES_MOST;
         at += strlen(at) + 1)
        variables[count++] = at;
    variables[count] = NULL;
    return NULL;
}

// What the tool asks for meanwhile. False: it wants the end.
static bool answer_request(long connection) {
    char request = 0;
    gp_system(recvfrom, connection, &request, sizeof request, MSG_DONTWAIT, NULL, NULL);
    if (request == GP_REQUEST_MARK)
        gp_mark("live");
    else if (request == GP_REQUEST_WARNING)
        gp_send_memory_warning();
    return request == GP_REQUEST_MARK || request == GP_REQUEST_WARNING;
}

static void converse(long connection, uint32_t own) {
    char *variables[VARIABLES_MOST];
    const char *failure = read_variables(connection, variables);
    if (!failure)
        failure = gp_recording_wake(variables);
    answer(connection, failure ? GP_CONTROL_REFUSED : GP_CONTROL_BEGUN, failure ? failure : "");
    if (failure)
        return;
    while ((!is_spoken_to(connection, LOOK_MS) || answer_request(connection)) && gp_recording_runs()) {
        const uint32_t other = atomic_exchange(&also_called, 0);
        if (other && other != own)
            turn_away(other);
        gp_end_with_the_others();
    }
    gp_stop();
}

static void *serve(void *number) {
    gp_system(prctl, PR_SET_NAME, "gameprof", 0, 0, 0);
    const long connection = connect_to((uint32_t)(uintptr_t)number);
    if (connection >= 0) {
        converse(connection, (uint32_t)(uintptr_t)number);
        // A child made by fork may have it too.
        gp_system(shutdown, connection, SHUT_RDWR);
        gp_system(close, connection);
    }
    atomic_store(&is_awake, false);
    return NULL;
}

// Whether the code is of another handler, or called by one: what that has interrupted may have any lock.
static bool is_in_handler(const ucontext_t *context) {
    uintptr_t pcs[FRAMES_MOST];
    size_t count = gp_stack_unwind(gp_context_start(context), pcs, NULL, FRAMES_MOST);
    while (count-- > 1)
        if (gp_rule_cfa(gp_rule_at(NULL, pcs[count], false)) == GP_CFA_SIGNAL)
            return true;
    return false;
}

// Whether a thread may be made in the handler: the code that it has interrupted has none of the locks of malloc and of the
// loader. Those are not held while code of the program runs, nor where a thread waits for something else.
static bool may_make_thread(const ucontext_t *context) {
    const gp_image_info *const image = gp_image_find(NULL, gp_context_pc(context));
    const bool is_apart = image && getauxval(AT_BASE) &&
                          (image == gp_image_find(NULL, getauxval(AT_ENTRY)) || gp_image_is_called(image, "libswift"));
    return (is_apart || gp_call_is_wait(context)) && !is_in_handler(context);
}

// Another thread may be at a better place.
static bool pass_on(uint32_t thread, void *signal) {
    siginfo_t *const info = signal;
    gp_task_call call;
    if (!gp_task_call_read(thread, &call) || !gp_call_waits(call.number, call.arguments[1], call.arguments[2]))
        return true;
    info->si_pid = (pid_t)gp_system(getpid, 0);
    gp_system(rt_tgsigqueueinfo, info->si_pid, thread, info->si_signo, info);
    return false;
}

static bool wake(siginfo_t *info, void *context) {
    const uintptr_t value = (uintptr_t)info->si_value.sival_ptr, number = value & UINT32_MAX;
    if (info->si_code != SI_QUEUE || value >> 32 != GP_CONTROL_CALL)
        return false;
    if (gp_task_has_new_filter())
        return true;  // it may end the program for a call
    if (atomic_load(&is_awake))
        atomic_store(&also_called, (uint32_t)number);
    else if (may_make_thread(context)) {
        if (!atomic_exchange(&is_awake, true) && !gp_own_thread_make(serve, (void *)number, STACK_BYTES))
            atomic_store(&is_awake, false);
    } else if (info->si_pid != gp_system(getpid, 0)) {
        gp_task_each(pass_on, info);
    }
    return true;
}

// A mapping without a file, whose name is all that matters: nothing can be read there.
static void leave_mark(void) {
    char name[sizeof GP_DORMANT_NAME + GP_NUMBER_ROOM] = GP_DORMANT_NAME;
    gp_number_write(name + strlen(name), (uint64_t)gp_stop_signal());
    const long file = gp_system(memfd_create, name, 1 /* MFD_CLOEXEC */);
    if (file < 0)
        return;
    gp_system_map(gp_page_size(), PROT_NONE, MAP_PRIVATE, file, 0);
    gp_system(close, file);
}

void gp_dormant_begin(void) {
    gp_recording_is_dormant = true;
    gp_task_note_filters();
    gp_instruments_observe_threads();  // the handler that wakes it unwinds
    gp_stop_signal_share(wake);
    leave_mark();
}

void gp_dormant_begin_in_child(void) {
    atomic_store(&is_awake, false);
    gp_thread_is_alone();
    gp_types_begin_in_child();
    gp_sampler_begin_in_child();
}
