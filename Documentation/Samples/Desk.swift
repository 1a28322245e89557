// The program of LivingHeap.md whose tasks wait for answers that nobody can give any more.
final class Desk: @unchecked Sendable {
    private var waiting: [UnsafeContinuation<Bool, Never>] = []

    func approve() async -> Bool {
        await withUnsafeContinuation { waiting.append($0) }
    }

    func close() { waiting = [] }
}

let desk = Desk()
for _ in 0..<497 {
    Task { @MainActor in print(await desk.approve()) }
}
for _ in 0..<1_000 { await Task.yield() }
desk.close()
