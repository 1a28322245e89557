// Allocations under every kind of frame that C and C++ make. Argument: the folder of the plugins.
#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <ucontext.h>
#include <vector>

#define APART __attribute__((noinline))

static volatile long sum;
static jmp_buf somewhere;
static ucontext_t main_context, coroutine_context;
enum { STACK_SIZE = 1 << 20 };

static APART void allocate(size_t size) {
    char *block = (char *)malloc(size);
    __asm__ volatile("" : "+r"(block));
    free(block);
}

extern "C" int compare_numbers(const void *a, const void *b) {
    allocate(12);
    return *(const int *)a - *(const int *)b;
}

static APART void jump(int depth) {
    allocate(100 + depth);
    if (depth == 0)
        longjmp(somewhere, 1);
    jump(depth - 1);
    __asm__ volatile("");
}

static APART int raise_error(int depth) {
    std::vector<int> numbers(depth + 5);
    sum += numbers.size();
    if (depth == 0)
        throw std::runtime_error("a sentence too long for the small string buffer");
    return raise_error(depth - 1) + numbers[0];
}

// Recursion whose call sites follow from a number, so that no two stacks of it are alike.
static APART int recurse(int depth, unsigned path) {
    if (depth == 0)
        return 0;
    unsigned next = path * 1664525 + 1013904223;
    int below;
    switch (path >> 30) {
    case 0:
        below = recurse(depth - 1, next) + 2;
        break;
    case 1:
        below = recurse(depth - 1, next ^ 1) + 3;
        break;
    default:
        if ((path >> 8 & 3) == 0)
            allocate(33);
        below = recurse(depth - 1, next ^ 2) + 5;
    }
    if ((path >> 8 & 7) == 0)
        allocate(20);
    __asm__ volatile("" : "+r"(below));
    return below;
}

static APART void realign(int size) {
    alignas(128) char aligned[256];
    memset(aligned, size, sizeof aligned);
    allocate(size + aligned[0] % 2 + 2);
    char *room = (char *)__builtin_alloca(size * 16 + 16);
    room[0] = 1;
    allocate(size + room[0] + aligned[size] % 2 + 2);
    sum += room[0] + aligned[7];
}

static void handle(int) {
    allocate(55);
}

static APART void signal_itself(int signal) {
    raise(signal);
    sum++;
}

static void run_coroutine() {
    for (int i = 0; i < 20; i++) {
        recurse(20 + i, i);
        allocate(60);
        swapcontext(&coroutine_context, &main_context);
    }
}

static void use_threads() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; i++)
        threads.emplace_back([i] {
            for (int k = 0; k < 200; k++)
                allocate(20 + k);
            recurse(200, i);
            try {
                raise_error(5);
            } catch (const std::exception &) {
            }
        });
    for (std::thread &thread : threads)
        thread.join();
}

static bool use_plugins(const std::string &folder) {
    for (int i = 0; i < 40; i++) {
        void *library = dlopen((folder + (i % 2 ? "/small.so" : "/large.so")).c_str(), RTLD_NOW);
        if (!library)
            return false;
        auto plugin = (int (*)(int))dlsym(library, "plugin");
        sum += plugin(i);
        dlclose(library);
    }
    return true;
}

int main(int, char **arguments) {
    int numbers[300];
    for (int i = 0; i < 300; i++)
        numbers[i] = (i * 7919) % 300;
    qsort(numbers, 300, sizeof *numbers, compare_numbers);
    for (int i = 0; i < 20; i++) {
        if (!setjmp(somewhere))
            jump(i);
        try {
            sum += raise_error(i);
        } catch (const std::exception &error) {
            sum += strlen(error.what());
        }
    }
    for (int i = 0; i < 40; i++) {
        recurse(i * 20, i * 77773);
        realign(i);
    }

    struct sigaction action = {};
    action.sa_handler = handle;
    sigaction(SIGUSR1, &action, nullptr);
    stack_t alternative = {};
    alternative.ss_sp = malloc(STACK_SIZE);
    alternative.ss_size = STACK_SIZE;
    sigaltstack(&alternative, nullptr);
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR2, &action, nullptr);
    for (int i = 0; i < 10; i++) {
        signal_itself(SIGUSR1);
        signal_itself(SIGUSR2);
    }

    getcontext(&coroutine_context);
    coroutine_context.uc_stack.ss_sp = malloc(STACK_SIZE);
    coroutine_context.uc_stack.ss_size = STACK_SIZE;
    coroutine_context.uc_link = &main_context;
    makecontext(&coroutine_context, run_coroutine, 0);
    for (int i = 0; i < 20; i++)
        swapcontext(&main_context, &coroutine_context);

    std::map<std::string, std::function<size_t(size_t)>> functions;
    for (int i = 0; i < 50; i++)
        functions["a key too long for the small buffer " + std::to_string(i)] =
            [text = std::string(50, 'y')](size_t size) { return std::string(text).size() + size; };
    for (auto &[key, function] : functions)
        sum += function(key.size());
    use_threads();
    return use_plugins(arguments[1]) ? 0 : 1;
}
