#include "defer.h"

#include <pthread.h>
#include <unistd.h>

#include "next.h"
#include "recorder.h"

bool gp_defers;
gp_deferred gp_next;

void gp_defer_prepare(void) {
    if (!gp_recorder_is_preloaded())
        return;
    gp_next = (gp_deferred){
        .exit = GP_NEXT(_exit),
        .sigaction = GP_NEXT(sigaction),
        .signal = GP_NEXT(signal),
        .sysv_signal = GP_NEXT(sysv_signal),
        .pthread_sigmask = GP_NEXT(pthread_sigmask),
        .sigprocmask = GP_NEXT(sigprocmask),
    };
    gp_defers = true;
}
