// Never calls malloc: the state of the C library's is as the library's file has it.
#include <unistd.h>

int main(void) {
    char byte;
    if (write(1, "waiting\n", 8) != 8)
        return 2;
    return read(0, &byte, 1) != 1;
}
