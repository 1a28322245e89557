// C++ that Swift calls, and that keeps Swift's objects.
#pragma once
#include <memory>
#include <string>
#include <vector>

struct Animal {
    std::string name;
    int legs = 4;
    virtual ~Animal();
    virtual int noise() const;
};

struct Zoo {
    std::vector<std::shared_ptr<Animal>> animals;
    void add(std::string name);
    int noise() const;
};

// Makes, throws and catches in C++ alone.
int churn(int rounds);

void keepPointer(void *object);
void *keptPointer();
void onAnotherThread(void (*function)(void *), void *argument);

int callsDeletedAnimal();
int readsDeletedString();
int deletesTwice();
