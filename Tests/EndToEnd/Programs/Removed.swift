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
    var feeds: [AsyncStream<Int>.Continuation] = []
}
final class Voice {
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// Holds the continuation of the task that reads from it.
final class Line: @unchecked Sendable {
    var reader: UnsafeContinuation<Int, Never>?
}
final class Lines: @unchecked Sendable {
    let lock = NSLock()
    var open: [Int: Line] = [:]
    var readers = 0
}
/// Runs jobs when it is asked to.
final class Frames: SerialExecutor, @unchecked Sendable {
    let lock = NSLock()
    var jobs: [UnownedJob] = []
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
    }
    /// Runs what comes, on a thread that alone holds it.
    func serve() {
        while true {
            usleep(200_000_000)
            let next = lock.withLock { jobs.isEmpty ? nil : jobs.removeFirst() }
            next?.runSynchronously(on: asUnownedSerialExecutor())
        }
    }
}
actor Scene {
    let frames: Frames
    var count = 0
    init(_ frames: Frames) { self.frames = frames }
    nonisolated var unownedExecutor: UnownedSerialExecutor { frames.asUnownedSerialExecutor() }
    func spawn() { count += 1 }
}

let (source, desk, lines) = (Source(), Desk(), Lines())
nonisolated(unsafe) var scenes: [Scene] = []

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

/// A third of the lines is removed, and each line is then held by the task alone that waits for it.
@inline(never) func evict() {
    @Sendable func read(_ line: Line) async {
        _ = await withUnsafeContinuation { continuation in
            line.reader = continuation
            lines.lock.withLock { lines.readers += 1 }
        }
        print("read \(ObjectIdentifier(line))")
    }
    Task.detached {
        await withDiscardingTaskGroup { group in
            for number in 0..<12 {
                let line = Line()
                lines.lock.withLock { lines.open[number] = line }
                group.addTask { await read(line) }
            }
        }
    }
    while lines.lock.withLock({ lines.readers < 12 }) { usleep(1_000) }
    usleep(50_000)
    lines.lock.withLock { lines.open = lines.open.filter { $0.key % 3 != 0 } }
}

@inline(never) func queue(_ count: Int, for scene: Scene) {
    for _ in 0..<count { Task.detached { await scene.spawn() } }
    while scene.frames.lock.withLock({ scene.frames.jobs.count < count }) { usleep(1_000) }
}

/// One of two scenes is dropped, so that nobody will run the jobs of its executor.
@inline(never) func unload() {
    let (kept, dropped) = (Scene(Frames()), Scene(Frames()))
    scenes = [kept]
    queue(5, for: kept)
    queue(7, for: dropped)
}

/// The scene is dropped, and a thread serves its executor.
@inline(never) func leaveToThread() {
    let frames = Frames()
    queue(4, for: Scene(frames))
    Thread { frames.serve() }.start()
}

/// The producers of some streams are dropped without an end.
@inline(never) func read() {
    for _ in 0..<3 {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        desk.feeds.append(feed)
        Task.detached { for await number in stream { print(number) } }
    }
    usleep(100_000)
    desk.feeds = []
}

@inline(never) func retain(_ count: Int) {
    for number in 0..<count { desk.voices[number] = Unmanaged.passRetained(Voice(number)).toOpaque() }
    for number in 4..<count { desk.voices.removeValue(forKey: number) }
}

nonisolated(unsafe) var notes: [String] = []
nonisolated(unsafe) var buffers: [[UInt8]] = []

/// Lists of continuations are freed, and stand in the room of strings and of buffers that have their memory next.
@inline(never) func leaveInRooms(_ count: Int) {
    @Sendable func wait() async { _ = await withUnsafeContinuation { keep($0) } }
    for _ in 0..<count { Task.detached { await wait() } }
    while desk.lock.withLock({ desk.parked.count < count }) { usleep(1_000) }
    usleep(50_000)
    var lists = (0..<400).map { _ in desk.lock.withLock { desk.parked.map { $0 } } }
    desk.lock.withLock { desk.parked = [] }
    lists = []
    let bytes = count * MemoryLayout<UnsafeContinuation<Int, Never>>.stride
    for number in 0..<200 {
        var note = ""
        note.reserveCapacity(bytes - 8)
        note += "request \(number) took a while"
        notes.append(note)
        var buffer: [UInt8] = []
        buffer.reserveCapacity(bytes - 8)
        buffer.append(UInt8(number))
        buffers.append(buffer)
    }
    withExtendedLifetime(lists) {}
}

func keep(_ continuation: UnsafeContinuation<Int, Never>) { desk.lock.withLock { desk.parked.append(continuation) } }

switch CommandLine.arguments[1] {
case "rooms": leaveInRooms(24)
case "weak-listener": listen()
case "parked": park(12, keeping: 3)
case "each-other": waitForEachOther()
case "group": park(inGroup: false)
case "discarding-group": park(inGroup: true)
case "evicted": evict()
case "unloaded": unload()
case "served": leaveToThread()
case "streams": read()
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
