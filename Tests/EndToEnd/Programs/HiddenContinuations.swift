// Continuations where no type tells them: as numbers, encoded, in memory of C, with libdispatch, in a task's own memory. The tasks
// are kept. Prints "waiting" and waits for a line.
import Dispatch
import Foundation

final class Numbers {
    var n = 0
    var m = 0
}
nonisolated(unsafe) let numbers = Numbers()
nonisolated(unsafe) var rawMemory = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
nonisolated(unsafe) let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    .assumingMemoryBound(to: UInt.self)
nonisolated(unsafe) var packed: [UInt8] = []
nonisolated(unsafe) var kept: [Any] = []
func bits(_ c: UnsafeContinuation<Int, Never>) -> UInt { unsafeBitCast(c, to: UInt.self) }
@inline(never) func inNumber() async -> Int { await withUnsafeContinuation { numbers.n = Int(bitPattern: bits($0)) } }
@inline(never) func inRaw() async -> Int { await withUnsafeContinuation { rawMemory[1] = bits($0) } }
@inline(never) func inMapped() async -> Int { await withUnsafeContinuation { mapped[3] = bits($0) } }
@inline(never) func inPacked() async -> Int {
    await withUnsafeContinuation { c in
        var w = bits(c)
        packed = [1] + withUnsafeBytes(of: &w) { Array($0) }
    }
}
@inline(never) func inTimer() async -> Int {
    await withUnsafeContinuation { c in
        DispatchQueue.global().asyncAfter(deadline: .now() + 900) { c.resume(returning: 1) }
    }
}
@inline(never) func inThread() async -> Int {
    await withUnsafeContinuation { c in
        Thread.detachNewThread {
            sleep(900)
            c.resume(returning: 1)
        }
    }
}
@inline(never) func inHandler() async -> Int {
    nonisolated(unsafe) var saved: UnsafeContinuation<Int, Never>?
    return await withTaskCancellationHandler {
        await withUnsafeContinuation { saved = $0 }
    } onCancel: {
        saved?.resume(returning: 7)
    }
}
@inline(never) func inWorkItem() async -> Int {
    await withUnsafeContinuation { c in
        let item = DispatchWorkItem { c.resume(returning: 1) }
        kept.append(item)
    }
}
@inline(never) func napping() async { try? await Task.sleep(nanoseconds: 900_000_000_000) }
@inline(never) func clockNap() async { try? await ContinuousClock().sleep(for: .seconds(900)) }
let bodies: [@Sendable () async -> Void] = [
    { _ = await inNumber() }, { _ = await inRaw() }, { _ = await inMapped() }, { _ = await inPacked() },
    { _ = await inTimer() }, { _ = await inThread() }, { _ = await inHandler() }, { _ = await inWorkItem() }, napping,
    clockNap,
]
setvbuf(stdout, nil, _IONBF, 0)
for body in bodies {
    let task = Task.detached { await body() }
    kept.append(task)
}
sleep(1)
print("waiting")
_ = readLine()
