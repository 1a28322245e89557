// An asynchronous main function, actors that call each other, inline arrays, locks, packs; threads that never end.
import Foundation
import Synchronization

@main enum Program {
    static func main() async {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        if let body = asynchronous.first(where: { $0.key == name })?.value {
            await body()
            settle()
        } else {
            run(cases)
        }
    }
}

// ------------------------------------------------------------------------------------------------------- actors

actor Bank {
    var balance = 0
    var changed: (@Sendable (Int) -> Void)?
    func watch(_ body: @escaping @Sendable (Int) -> Void) { changed = body }
    func put(_ amount: Int) {
        balance += amount
        changed?(amount)
    }
}
final class Watcher: @unchecked Sendable {
    let bank = Bank()
    var seen = 0
    func start() async { await bank.watch { self.seen += $0 } }
}
@globalActor actor Game { static let shared = Game() }
@Game final class Board {
    var cells = [1, 2, 3]
    var hook: (@Game () -> Void)?
    func setUp() { hook = { self.cells.append(4) } }
}

/// The program ends in the moment after the actor has answered, while the pool's thread is still handing over.
@inline(never) func actorHop() async {
    let watcher = Watcher()
    await watcher.start()
    await watcher.bank.put(3)
    touch(watcher.seen)
}
/// The pool's thread calls the runtime with the board in a register, which the runtime puts aside: where it is taken off its
/// processor just then, the board seems alive.
@inline(never) func globalActorHop() async {
    let board = await Board()
    await board.setUp()
    await board.hook?()
    letPoolEnd()
}
/// Until no thread but the calling one runs, or waits for a processor.
func letPoolEnd() {
    let tasks = "/proc/self/task"
    func runs(_ id: String) -> Bool {
        (try? String(contentsOfFile: "\(tasks)/\(id)/stat", encoding: .utf8))?.contains(") R ") ?? false
    }
    while (try? FileManager.default.contentsOfDirectory(atPath: tasks).filter(runs))?.count ?? 0 > 1 { usleep(1_000) }
}
/// Waits for ever for a stream that only itself could feed; the main task has had the listener in frames that are gone.
final class Listener: @unchecked Sendable {
    var heard = 0
    var task: Task<Void, Never>?
    var feed: AsyncStream<Int>.Continuation?
    func start() {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        self.feed = feed
        task = Task { for await number in stream { self.heard += number } }
    }
}
@inline(never) func listen(_ times: Int) async -> Int {
    let listener = Listener()
    listener.start()
    for number in 0..<times { listener.feed?.yield(number) }
    try? await Task.sleep(for: .milliseconds(20))
    return listener.heard
}
@inline(never) func streamConsumer() async {
    async let heard = listen(3)
    touch(await heard)
    try? await Task.sleep(for: .milliseconds(5))
    letPoolEnd()
}
@inline(never) func streamConsumerOfMain() async {
    touch(await listen(3))
    try? await Task.sleep(for: .milliseconds(5))
    letPoolEnd()
}

let asynchronous: KeyValuePairs<String, () async -> Void> = [
    "actor-hop": actorHop, "global-actor-hop": globalActorHop, "stream-consumer": streamConsumer,
    "stream-consumer-of-main": streamConsumerOfMain,
]

// ------------------------------------------------------------------------------------------------------- values

final class InlineOwner: Owner {
    var slots: InlineArray<4, Part?> = InlineArray(repeating: nil)
}
struct Grid { var cells: InlineArray<3, InlineArray<2, Part?>> }
final class GridOwner: Owner {
    var grid = Grid(cells: InlineArray(repeating: InlineArray(repeating: nil)))
}
final class LockedOwner: Owner, @unchecked Sendable {
    struct State {
        var parts: [Part] = []
        var handler: (() -> Void)?
    }
    let state = Mutex(State())
}
final class LazyReferenceOwner: Owner { let part = AtomicLazyReference<Part>() }
struct Entry {
    var hits = 1
    var part: Part?
}
final class EntriesOwner: Owner { var entries: [String: Entry] = [:] }
indirect enum Expression {
    case number(Int)
    case sum(Expression, Expression)
    case named(Part)
}
final class ExpressionsOwner: Owner { var named: [String: Expression] = [:] }
/// A value with a function of a pack and a property behind it.
struct Query<each T> {
    var body: (Int, repeat each T) -> Void
    var owner: QueryOwner?
}
final class QueryOwner: Owner { var queries: [Any] = [] }
final class Bag<each T>: Owner {
    var items: (repeat each T)
    var label = "a label of a bag, long enough for the heap"
    init(_ items: repeat each T) { self.items = (repeat each items) }
}

@inline(never) func inlineArray() {
    let o = InlineOwner()
    o.slots[2] = Part(o)
    touch(o)
}
@inline(never) func inlineGrid() {
    let o = GridOwner()
    o.grid.cells[1][1] = Part(o)
    touch(o)
}
@inline(never) func locked() {
    let o = LockedOwner()
    o.state.withLock { $0.handler = { touch(o.number) } }
    touch(o)
}
@inline(never) func lazyReference() {
    let o = LazyReferenceOwner()
    touch(o.part.storeIfNil(Part(o)))
}
@inline(never) func entries() {
    let o = EntriesOwner()
    o.entries["a.key with dots"] = Entry(part: Part(o))
    touch(o)
}
@inline(never) func expressions() {
    let o = ExpressionsOwner()
    o.named["x"] = .sum(.number(1), .named(Part(o)))
    touch(o)
}

@inline(never) func packFunction() {
    let o = QueryOwner()
    o.queries.append(Query<Int, String>(body: { _, _, text in touch(text) }, owner: o))
    touch(o)
}
@inline(never) func pack() {
    let part = Part()
    let bag = Bag(7, "seven", part)
    part.owner = bag
    touch(bag)
}

// What follows loses nothing.

nonisolated(unsafe) var kept: [Any] = []
let globalLock = Mutex<Part?>(nil)
nonisolated(unsafe) let globalReference = AtomicLazyReference<Part>()
nonisolated(unsafe) var globalSlots: InlineArray<3, Part?> = [nil, nil, nil]
@inline(never) func livingValues() {
    let inline = InlineOwner()
    inline.slots[1] = Part()
    let grid = GridOwner()
    grid.grid.cells[2][0] = Part()
    let lock = LockedOwner()
    lock.state.withLock { $0.parts = [Part(), Part()] }
    kept = [inline, grid, lock, Bag(1, Part(), "three", [Part()])]
    globalLock.withLock { $0 = Part() }
    touch(globalReference.storeIfNil(Part()))
    globalSlots[1] = Part()
}
/// Only memory that could be shared with another process holds the object.
nonisolated(unsafe) var sharedPage: UnsafeMutableRawPointer?
@inline(never) func sharedMemory() {
    let page = mmap(nil, 65_536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)!
    let slots = page.bindMemory(to: UnsafeMutableRawPointer?.self, capacity: 8)
    for index in 0..<8 { slots[index] = Unmanaged.passRetained(Part()).toOpaque() }
    sharedPage = page
}

/// A cycle that lives as long as somebody holds the parent.
final class Model: @unchecked Sendable {
    var parent: Model?
    var children: [Model] = []
    var turns = 0
    static func family() -> Model {
        let parent = Model()
        for _ in 0..<3 {
            let child = Model()
            child.parent = parent
            parent.children.append(child)
        }
        return parent
    }
}
@inline(never) func use(_ model: Model) {
    model.turns &+= 1
    for child in model.children { child.turns &+= model.turns }
}
let ready = DispatchSemaphore(value: 0)
let never = DispatchSemaphore(value: 0)

@inline(never) func turnForEver() {
    let model = Model.family()
    ready.signal()
    while true {
        usleep(1_000)
        use(model)
    }
}
@inline(never) func spinForEver() {
    let model = Model.family()
    ready.signal()
    var turns = 0
    while true {
        turns &+= 1
        if turns % 100_000 == 0 {
            use(model)
            usleep(10)
        }
    }
}
@inline(never) func turnWithMany() {
    let a = Model.family()
    let b = Model.family()
    let c = Model.family()
    let d = Model.family()
    let e = Model.family()
    let f = Model.family()
    let g = Model.family()
    ready.signal()
    while true {
        usleep(1_000)
        for model in [a, b] { use(model) }
        use(c)
        use(d)
        use(e)
        use(f)
        use(g)
    }
}
@inline(never) func sleepLong() {
    let model = Model.family()
    ready.signal()
    sleep(3_600)
    use(model)
}
@inline(never) func waitExtended() {
    let model = Model.family()
    ready.signal()
    withExtendedLifetime(model) { never.wait() }
}
@inline(never) func runLoop() {
    let model = Model.family()
    RunLoop.current.add(Timer(timeInterval: 0.002, repeats: true) { _ in use(model) }, forMode: .default)
    ready.signal()
    RunLoop.current.run()
}
@inline(never) func changeState() {
    enum State {
        case running(Model, Int)
        case stopped
    }
    var state = State.running(Model.family(), 0)
    ready.signal()
    while true {
        if case .running(let model, let turn) = state {
            use(model)
            state = turn < 0 ? .stopped : .running(model, turn &+ 1)
        }
        usleep(1_000)
    }
}
@inline(never) func gameThreads() {
    let bodies: [@Sendable () -> Void] = [
        turnForEver, spinForEver, turnWithMany, sleepLong, waitExtended, runLoop, changeState,
    ]
    for body in bodies { Thread.detachNewThread(body) }
    for _ in bodies { ready.wait() }
    usleep(20_000)
}

/// Workers of the pool that wait in the last call of their block: only the pool's frames hold what it captured.
@inline(never) func poolWorkers() {
    for number in 0..<3 {
        let model = Model.family()
        model.turns = number
        DispatchQueue.global().async {
            use(model)
            never.wait()
        }
    }
    DispatchQueue.global().async { [model = Model.family()] in withExtendedLifetime(model) { never.wait() } }
    DispatchQueue.global().async {
        let model = Model.family()
        never.wait()
        use(model)
    }
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { [model = Model.family()] in
        use(model)
        never.wait()
    }
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    queue.async(flags: .barrier) { [model = Model.family()] in
        use(model)
        never.wait()
    }
    queue.async { [model = Model.family()] in use(model) }
    let item = DispatchWorkItem { [model = Model.family()] in
        use(model)
        never.wait()
    }
    DispatchQueue.global(qos: .background).async(execute: item)
    Task.detached {
        let model = Model.family()
        while true {
            use(model)
            await Task.yield()
            usleep(100)
        }
    }
    usleep(100_000)
}

let cases: Cases = [
    "inline-array": inlineArray, "inline-grid": inlineGrid, "mutex": locked, "lazy-reference": lazyReference,
    "dictionary-struct": entries, "dictionary-enum": expressions, "pack": pack, "pack-function": packFunction,
    "living-values": livingValues,
    "shared-memory": sharedMemory, "game-threads": gameThreads, "pool-workers": poolWorkers,
]
