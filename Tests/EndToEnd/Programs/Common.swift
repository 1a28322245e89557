// Shared by every program of this folder: a program is this file and one other, compiled by themselves, so that the
// optimiser cannot see from one file into the other.
import Foundation

/// What the cases of a program are called and do. The fault is committed two calls below `main`, so that no live
/// frame holds what it lost.
typealias Cases = KeyValuePairs<String, () -> Void>

/// The object that a case loses, or keeps: each case derives its own.
class Owner {
    var number = 1
}

/// What an owner holds, and what holds its owner.
final class Part {
    var number = 2
    var owner: Owner?

    init(_ owner: Owner? = nil) {
        self.owner = owner
    }
}

nonisolated(unsafe) private var touches = 0

/// Makes the optimiser believe that the value is needed.
@inline(never)
func touch<T>(_ value: T) {
    withExtendedLifetime(value) { touches += 1 }
}

/// Allocates, calls and prints something that has nothing to do with the case.
@inline(never)
func settle() {
    let words = (1...40).map { "word \($0) of the calm after the fault" }
    print("done:", words.joined(separator: ",").count, "characters")
}

/// Runs the case that the first argument names; lists the cases without one.
@inline(never)
func run(_ cases: Cases) {
    guard let name = CommandLine.arguments.dropFirst().first else { return print(cases.map(\.key)) }
    guard let body = cases.first(where: { $0.key == name })?.value else {
        print("no case is called", name)
        exit(64)
    }
    perform(body)
    settle()
}

@inline(never)
private func perform(_ body: () -> Void) {
    body()
}

/// Returns when the condition holds and every other thread sleeps: the stack of a thread that still leaves a function
/// names what the function lost.
@inline(never)
func waitForRest(until condition: () -> Bool = { true }) {
    for _ in 0..<1_000 {
        if condition() && othersRest() { return }
        usleep(10_000)
    }
    print("no rest")
}

private func othersRest() -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let resting = threads.filter { thread in
        guard let line = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8) else {
            return true
        }
        return line[(line.lastIndex(of: ")") ?? line.startIndex)...].hasPrefix(") S")
    }
    return resting.count + 1 >= threads.count
}
