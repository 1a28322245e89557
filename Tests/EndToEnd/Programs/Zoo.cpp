#include "Zoo.h"

#include <map>
#include <stdexcept>
#include <thread>

static const char *const longName = "a name that is too long to lie in the string itself";

Animal::~Animal() {}

int Animal::noise() const {
    return legs + static_cast<int>(name.size());
}

void Zoo::add(std::string name) {
    auto animal = std::make_shared<Animal>();
    animal->name = std::move(name);
    animals.push_back(animal);
}

int Zoo::noise() const {
    int sum = 0;
    for (const auto &animal : animals)
        sum += animal->noise();
    return sum;
}

struct alignas(64) Wide {
    char bytes[128] = {1};
};

int churn(int rounds) {
    int sum = 0;
    std::map<int, std::string> names;
    for (int i = 0; i < rounds; i++) {
        names[i % 97] = std::to_string(i) + longName;
        sum += std::make_unique<Wide>()->bytes[0];
        try {
            if (i % 100 == 0)
                throw std::runtime_error(longName);
        } catch (const std::exception &error) {
            sum += static_cast<int>(std::string(error.what()).size());
        }
    }
    for (const auto &name : names)
        sum += static_cast<int>(name.second.size());
    return sum;
}

static void *kept;

void keepPointer(void *object) {
    kept = object;
}

void *keptPointer() {
    return kept;
}

void onAnotherThread(void (*function)(void *), void *argument) {
    std::thread([=] { function(argument); }).join();
}

int callsDeletedAnimal() {
    Animal *volatile animal = new Animal;
    delete animal;
    return animal->noise();
}

int readsDeletedString() {
    std::string *volatile name = new std::string(longName);
    delete name;
    return (*name)[3];
}

int deletesTwice() {
    int *volatile numbers = new int[10];
    delete[] numbers;
    delete[] numbers;
    return 0;
}
