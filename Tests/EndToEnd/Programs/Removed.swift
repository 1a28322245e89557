// Tasks and objects whose holders have let go of them, which shows only in a count, in a bitmap or in a weak reference.
import Foundation

final class Listener: @unchecked Sendable { var next: UnsafeContinuation<Int, Never>? }
final class Source: @unchecked Sendable { weak var listener: Listener? }
final class Desk: @unchecked Sendable {
    let lock = NSLock()
    var parked: [UnsafeContinuation<Int, Never>] = []
    var byNumber: [Int: UnsafeContinuation<Int, Never>] = [:]
    var voices: [Int: UnsafeMutableRawPointer] = [:]
    var answers: [Task<Int, Never>] = []
}
final class Voice {
    let number: Int
    init(_ number: Int) { self.number = number }
}

let (source, desk) = (Source(), Desk())

@inline(never) func listen() {
    Task.detached {
        let listener = Listener()
        source.listener = listener
        let value = await withUnsafeContinuation { listener.next = $0 }
        withExtendedLifetime(listener) { print("got \(value)") }
    }
}

@inline(never) func park(_ count: Int, keeping kept: Int) {
    for number in 0..<count {
        Task.detached {
            _ = await withUnsafeContinuation { continuation in
                desk.lock.withLock {
                    desk.parked.append(continuation)
                    desk.byNumber[number] = continuation
                }
            }
        }
    }
    while desk.lock.withLock({ desk.parked.count < count }) { usleep(1_000) }
    usleep(50_000)
    desk.lock.withLock {
        let living = desk.byNumber.filter { $0.key < kept }.map(\.value)
        desk.parked.removeAll(keepingCapacity: true)
        desk.parked += living
        for number in 0..<count { desk.byNumber.removeValue(forKey: number) }
    }
}

@inline(never) func park(inGroup isDiscarding: Bool) {
    @Sendable func wait(_ number: Int) async {
        _ = await withUnsafeContinuation { continuation in desk.lock.withLock { desk.byNumber[number] = continuation } }
    }
    Task.detached {
        if isDiscarding {
            await withDiscardingTaskGroup { group in for number in 0..<6 { group.addTask { await wait(number) } } }
        } else {
            await withTaskGroup(of: Void.self) { group in for number in 0..<6 { group.addTask { await wait(number) } } }
        }
    }
    while desk.lock.withLock({ desk.byNumber.count < 6 }) { usleep(1_000) }
    usleep(50_000)
    desk.lock.withLock { for number in 0..<2 { desk.byNumber.removeValue(forKey: number) } }
}

@inline(never) func waitForEachOther() {
    for number in 0...1 {
        let task = Task.detached {
            while desk.lock.withLock({ desk.answers.count < 2 }) { usleep(1_000) }
            return await desk.lock.withLock { desk.answers[1 - number] }.value
        }
        desk.lock.withLock { desk.answers.append(task) }
    }
}

@inline(never) func retain(_ count: Int) {
    for number in 0..<count { desk.voices[number] = Unmanaged.passRetained(Voice(number)).toOpaque() }
    for number in 4..<count { desk.voices.removeValue(forKey: number) }
}

switch CommandLine.arguments[1] {
case "weak-listener": listen()
case "parked": park(12, keeping: 3)
case "each-other": waitForEachOther()
case "group": park(inGroup: false)
case "discarding-group": park(inGroup: true)
case "retained": retain(24)
default: preconditionFailure()
}
usleep(200_000)
print("waiting")
fflush(stdout)
if readLine() != nil {
    source.listener?.next?.resume(returning: 5)
    usleep(100_000)
}
