#if Profiling
import Foundation
import GameInstrumentation
import InstrumentationPush

/// A server as far as a store of profiles sees it: does what its standard input asks for, a line each, and says when it is done.
/// With arguments (URL, seconds) it begins to push from within; else the environment decides.
@main
enum PushingProgram {
    static func main() throws {
        let push = try pushFromWithin(CommandLine.arguments)
        while let line = readLine() {
            let words = line.split(separator: " ")
            switch words.first {
            case "make": Cards.make(words.last.flatMap { Int($0) } ?? 0)
            case "compute": Cards.sum = compute(seconds: 1)
            case "fork": forkOnce()
            case "stop": push?.stop()
            case "state": if let state = push?.state { say("problem: \(state.problem ?? "none")") }
            default: say("?")
            }
            say("done")
        }
        say("\(Cards.kept.count) cards")
        exit(7)
    }

    private static func pushFromWithin(_ arguments: [String]) throws -> BackgroundPush? {
        guard arguments.count == 3, let seconds = Int(arguments[2]) else { return nil }
        return try BackgroundPush(
            to: arguments[1], service: "within", labels: ["version": "1.2"], token: "secret", every: .seconds(seconds))
    }
}

/// Prints a line at once, also into a pipe.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

final class Card {
    var rank: Int

    init(rank: Int) { self.rank = rank }
}

enum Cards {
    nonisolated(unsafe) static var kept: [Card] = []
    nonisolated(unsafe) static var sum = 0

    /// Keeps one of ten.
    @inline(never)
    static func make(_ count: Int) {
        for number in 0..<count {
            let card = Card(rank: number)
            if number % 10 == 0 { kept.append(card) } else { sum &+= card.hash }
        }
    }
}

extension Card {
    @inline(never)
    var hash: Int { ObjectIdentifier(self).hashValue }
}

/// CPU time, so that a loaded machine only takes longer for it.
@inline(never)
func compute(seconds: Int) -> Int {
    var sum = 0
    let begun = cpuNanoseconds()
    while cpuNanoseconds() - begun < seconds * 1_000_000_000 {
        for round in 0..<10_000 { sum = sum &* 31 &+ round.hashValue }
    }
    return sum
}

private func cpuNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Says how many threads a child made by fork has, and how it ended, which is as programs usually do.
private func forkOnce() {
    let child = forkOfTheLibrary()
    if child == 0 {
        say("threads of the child: \(threadCount())")
        exit(3)
    }
    var status: CInt = 0
    waitpid(child, &status, 0)
    say("status of the child: \(status >> 8)")
}

private func threadCount() -> Int {
    guard let folder = opendir("/proc/self/task") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) { if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 } }
    return count
}

/// `fork`, which Swift's module of the C library hides.
@_silgen_name("fork")
private func forkOfTheLibrary() -> pid_t
#else
@main
enum PushingProgram { static func main() {} }
#endif
