// What a thread believes to block by the mask that it really has.
#include "Check.h"
#include "virtual_mask.h"

#include <signal.h>

int main(void) {
    const uint64_t user = gp_signal_bit(SIGUSR1), stop = gp_signal_bit(SIGRTMAX), fault = gp_signal_bit(SIGSEGV);
    const uint64_t nearly_all = ~(stop | fault), real = nearly_all & ~(gp_signal_bit(SIGKILL) | gp_signal_bit(SIGSTOP));

    // Other code may block a few signals as well: it is not taken for the handler.
    gp_handler_mask_set(SIGUSR1, user, stop);
    CHECK(gp_handler_mask_left_out(SIGUSR1) == stop);
    CHECK(gp_handler_believes(user) == 0);

    gp_handler_mask_set(SIGUSR2, nearly_all, stop | fault);
    CHECK(gp_handler_mask_left_out(SIGUSR2) == (stop | fault));
    CHECK(gp_handler_believes(user) == 0);
    CHECK(gp_handler_believes(real) == fault);

    gp_handler_mask_set(SIGUSR2, user, 0);
    CHECK(gp_handler_believes(real) == 0);
    CHECK(gp_handler_mask_left_out(0) == 0 && gp_handler_mask_left_out(65) == 0);
    printf("passed\n");
}
