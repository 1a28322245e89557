import Foundation

/// The end of its sequence ends the task.
final class Listener {
    private let words: AsyncStream<String>
    private let input: AsyncStream<String>.Continuation
    private var reader: Task<Void, Never>?
    private var count = 0

    init() { (words, input) = AsyncStream.makeStream(of: String.self) }
    func start() {
        reader = Task {  // doubt: endless-task
            for await _ in words { self.count += 1 }
        }
    }
    func close() { input.finish() }
}

/// Another's end is not its own.
final class Deaf {
    private let words: AsyncStream<String>
    private let input: AsyncStream<String>.Continuation
    private var reader: Task<Void, Never>?
    private var count = 0

    init() { (words, input) = AsyncStream.makeStream(of: String.self) }
    func start() {
        reader = Task {  // suspect: endless-task
            for await _ in words { self.count += 1 }
        }
    }
    deinit { input.finish() }
}

/// A timer that has fired keeps its block, on Linux.
final class Toast {
    private var timer: Timer?
    private var other: Timer?
    private var isShown = true

    func show() {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in self.isShown = false }  // suspect: timer
        other = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in  // no-finding: timer
            self.isShown = false
            self.other = nil
        }
    }
}
