// Swift that calls C++, and is called by it.

final class Keeper {
    var rounds = 0

    func feed() -> Int {
        rounds += 1
        return rounds
    }
}

func feedOnAnotherThread() {
    onAnotherThread(
        { print("fed", Unmanaged<Keeper>.fromOpaque($0!).takeUnretainedValue().feed()) }, keptPointer())
}

func healthy() {
    var zoo = Zoo()
    for number in 0..<200 { zoo.add(std.string("animal with the number \(number)")) }
    print("noise", zoo.noise(), "churn", churn(5000))
    let keeper = Keeper()
    keepPointer(Unmanaged.passRetained(keeper).toOpaque())
    feedOnAnotherThread()
    Unmanaged<Keeper>.fromOpaque(keptPointer()!).release()
    print("rounds", keeper.rounds)
}

func deadKeeper() {
    keepPointer(Unmanaged.passRetained(Keeper()).toOpaque())
    Unmanaged<Keeper>.fromOpaque(keptPointer()!).release()
    feedOnAnotherThread()
}

switch CommandLine.arguments.last {
case "deleted-animal": print(callsDeletedAnimal())
case "deleted-string": print(readsDeletedString())
case "deleted-twice": print(deletesTwice())
case "dead-keeper": deadKeeper()
default: healthy()
}
