// Every way in which a dead object is used, a case for each. The over-releases are real; the optimiser must not see them.
#if canImport(Glibc)
import Glibc
#endif

protocol Greeter: AnyObject { func greet() -> Int }

class Board: Greeter {
    var width: Int
    var name: String
    var cards: [Int]
    var scores: [String: Int]
    var partner: Board?
    var handler: (() -> Int)?
    weak var observer: Board?

    init(width: Int) {
        self.width = width
        name = "a board whose name does not fit into a word \(width)"
        cards = [width, width + 1]
        scores = ["a": width]
        partner = width > 0 ? Board(width: 0) : nil
        let captured = cards
        handler = { captured.count }
    }

    func flip() -> Int { width + 1 }
    func greet() -> Int { width + 2 }
}

final class BigBoard: Board {
    override func flip() -> Int { -1 }
    override func greet() -> Int { -2 }
}

final class Pinned {
    unowned var board: Board
    let address: UnsafeMutableRawPointer
    init(_ board: Board) {
        self.board = board
        address = Unmanaged.passUnretained(board).toOpaque()
    }
    @inline(never) func use() -> Int { board.flip() }
}

final class Generic<Element> {
    var element: Element
    init(_ element: Element) { self.element = element }
    @inline(never) func get() -> Element { element }
}

final class Player {
    var score: Int
    var name: String
    var items: [Int]
    var results: [String: Int]
    var board: Board?
    var action: () -> Int

    init(_ score: Int) {
        self.score = score
        name = "a player whose name does not fit into a word \(score)"
        items = [score, score]
        results = ["first": score]
        board = makeBoard(score)
        let items = items
        action = { items.count + score }
    }
}

@inline(never) func deadPlayer() -> Unmanaged<Player> {
    let player = Unmanaged.passRetained(Player(Int(CommandLine.argc) + 2))
    player.release()
    return player
}

actor Counter {
    var count = 7
    func next() -> Int {
        count += 1
        return count
    }
}

struct Failure: Error { var text: String }

@inline(never) func makeBoard(_ width: Int) -> Board { width > 1000 ? BigBoard(width: width) : Board(width: width) }

/// Releases what it does not own.
@inline(never) func overRelease(_ object: AnyObject) { Unmanaged.passUnretained(object).release() }

/// A dead board.
@inline(never) func deadBoard() -> Unmanaged<Board> {
    let board = Unmanaged.passRetained(makeBoard(Int(CommandLine.argc) + 1))
    board.release()
    return board
}

/// The address of a dead board, as C code would keep it.
@inline(never) func deadAddress() -> UnsafeMutableRawPointer { deadBoard().toOpaque() }

nonisolated(unsafe) var sink = 0
nonisolated(unsafe) var closureSink: (() -> Int)?
nonisolated(unsafe) weak var weakSink: Board?
nonisolated(unsafe) var unownedSink: Pinned?

@inline(never) func show(_ value: Int) {
    sink &+= value
    print("value", value)
}

enum Cases {
    @inline(never) static func methodCall() { show(deadBoard()._withUnsafeGuaranteedRef { $0.flip() }) }
    @inline(never) static func protocolCall() {
        let address = deadAddress()
        let greeter = unsafeBitCast(address, to: AnyObject.self) as AnyObject
        show((greeter as? any Greeter)?.greet() ?? 0)
    }
    @inline(never) static func retain() { _ = deadBoard().retain() }
    @inline(never) static func release() { deadBoard().release() }
    @inline(never) static func weakFormation() { deadBoard()._withUnsafeGuaranteedRef { weakSink = $0 } }
    @inline(never) static func unownedFormation() {
        deadBoard()._withUnsafeGuaranteedRef { unownedSink = Pinned($0) }
    }
    @inline(never) static func uniqueness() {
        var board = deadBoard().takeUnretainedValue()
        show(isKnownUniquelyReferenced(&board) ? 1 : 0)
    }
    @inline(never) static func cast() {
        let object = unsafeBitCast(deadAddress(), to: AnyObject.self)
        show(object is BigBoard ? 1 : 0)
    }
    @inline(never) static func typeOf() {
        let object = unsafeBitCast(deadAddress(), to: AnyObject.self)
        print(type(of: object))
    }
    @inline(never) static func stringProperty() {
        print(deadPlayer()._withUnsafeGuaranteedRef { $0.name })
    }
    @inline(never) static func arrayProperty() { show(deadPlayer()._withUnsafeGuaranteedRef { $0.items.count }) }
    @inline(never) static func dictionaryProperty() {
        show(deadPlayer()._withUnsafeGuaranteedRef { $0.results["first"] ?? 0 })
    }
    @inline(never) static func referenceProperty() {
        show(deadPlayer()._withUnsafeGuaranteedRef { $0.board?.flip() ?? 0 })
    }
    @inline(never) static func closureProperty() { show(deadPlayer()._withUnsafeGuaranteedRef { $0.action() }) }
    @inline(never) static func propertySetter() {
        deadPlayer()._withUnsafeGuaranteedRef { $0.items.append(4) }
    }
    @inline(never) static func getter() { print(deadBoard()._withUnsafeGuaranteedRef { $0.name }) }
    @inline(never) static func collectionElement() {
        var boards = Set([Holder(makeBoard(2)), Holder(makeBoard(3))])
        for holder in boards { overRelease(holder.board) }
        show(boards.reduce(0) { $0 + $1.board.flip() })
        boards.removeAll()
    }
    @inline(never) static func arrayElement() {
        let boards = [makeBoard(2), makeBoard(3)]
        overRelease(boards[0])
        for board in boards { show(board.flip()) }
    }
    @inline(never) static func arrayStorage() {
        let storage = Unmanaged.passRetained(unsafeBitCast(makeArray(64), to: AnyObject.self))
        storage.release()
        let array = unsafeBitCast(storage.toOpaque(), to: [Int].self)
        show(array.reduce(0, &+))
    }
    @inline(never) static func makeArray(_ count: Int) -> [Int] { (0..<count).map { $0 * Int(CommandLine.argc) } }
    @inline(never) static func closureContext() {
        closureSink = makeClosure(makeBoard(2), makeBoard(3))
        let context = withUnsafeBytes(of: &closureSink) { $0.load(fromByteOffset: 8, as: UnsafeRawPointer.self) }
        Unmanaged<AnyObject>.fromOpaque(context).release()
        show(closureSink!())
    }
    @inline(never) static func makeClosure(_ first: Board, _ second: Board) -> () -> Int {
        { first.flip() + second.flip() }
    }
    @inline(never) static func genericObject() {
        let object = Unmanaged.passRetained(Generic(makeArray(3)))
        object.release()
        show(object._withUnsafeGuaranteedRef { $0.get().count })
    }
    @inline(never) static func managedBuffer() {
        let buffer = Unmanaged.passRetained(ManagedBuffer<Int, Int>.create(minimumCapacity: 16) { $0.capacity })
        buffer.release()
        _ = buffer.retain()
    }
    @inline(never) static func errorBox() {
        let box = Unmanaged<AnyObject>.fromOpaque(errorAddress(Failure(text: "an error with a long description")))
        box.release()
        _ = box.retain()
    }
    @inline(never) static func errorAddress(_ error: any Error) -> UnsafeRawPointer {
        let address = withUnsafeBytes(of: error) { $0.load(as: UnsafeRawPointer.self) }
        _ = Unmanaged<AnyObject>.fromOpaque(address).retain()
        return address
    }
    @inline(never) static func actorObject() {
        let counter = Unmanaged.passRetained(Counter())
        counter.release()
        _ = counter.retain()
    }
    @inline(never) static func otherThread() {
        let address = deadAddress()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { address in
                show(Unmanaged<Board>.fromOpaque(address!)._withUnsafeGuaranteedRef { $0.flip() })
                return nil
            }, address)
        pthread_join(thread, nil)
    }
    @inline(never) static func callback() {
        let context = deadAddress()
        var numbers: [Int32] = [3, 1, 2]
        callbackContext = context
        qsort(&numbers, 3, 4) { _, _ in
            Int32(Unmanaged<Board>.fromOpaque(callbackContext!)._withUnsafeGuaranteedRef { $0.flip() })
        }
    }
    @inline(never) static func unsafeUnowned() { show(Coordinator.make().start()) }
    @inline(never) static func doubleFree() {
        let memory = allocate(100)
        release(memory)
        release(memory)
    }
    @inline(never) static func reallocDead() {
        let memory = allocate(100)
        release(memory)
        release(realloc(memory, 400)!)
    }
    @inline(never) static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        malloc(size * Int(CommandLine.argc))!
    }
    @inline(never) static func release(_ memory: UnsafeMutableRawPointer) {
        sink &+= Int(bitPattern: memory) & 1
        free(memory)
    }
    @inline(never) static func rawPointer() {
        let memory = UnsafeMutablePointer<Board>.allocate(capacity: 2 * Int(CommandLine.argc))
        memory.initialize(to: makeBoard(2))
        memory.deinitialize(count: 1)
        memory.deallocate()
        show(memory.pointee.flip())
    }
    @inline(never) static func writeAfterFree() {
        let address = deadAddress()
        (address + 16).storeBytes(of: 4711, as: Int.self)
        show(Int(bitPattern: address) & 1)
    }
    @inline(never) static func scalarRead() {
        show((deadAddress() + 16).load(as: Int.self) & 1)
    }
    @inline(never) static func scalarWrite() {
        (deadAddress() + 16).storeBytes(of: 4711, as: Int.self)
    }
    @inline(never) static func weakReferenceKept() {
        weakSink = Unmanaged<Board>.fromOpaque(deadAddress()).takeUnretainedValue()
        show((0..<100_000).reduce(0) { $0 &+ Generic($1).get() })
        show(weakSink == nil ? 0 : 1)
    }
    @inline(never) static func pinnedProperty() {
        let pinned = makePinned()
        let address = pinned.address
        print(Unmanaged<Board>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.cards })
        withExtendedLifetime(pinned) {}
    }
    @inline(never) static func pinnedNumber() {
        let pinned = makePinned()
        show(Unmanaged<Board>.fromOpaque(pinned.address)._withUnsafeGuaranteedRef { $0.width })
        withExtendedLifetime(pinned) {}
    }
    @inline(never) static func makePinned() -> Pinned { Pinned(makeBoard(2)) }
    @inline(never) static func unownedTrap() { show(makePinned().use()) }
    @inline(never) static func healthy() {
        let boards = (1...50).map { makeBoard($0) }
        weakSink = boards[0]
        unownedSink = Pinned(boards[1])
        show(boards.reduce(unownedSink!.use()) { $0 + $1.flip() })
    }

    static let all: [String: () -> Void] = [
        "method-call": methodCall, "protocol-call": protocolCall, "retain": retain, "release": release,
        "weak-formation": weakFormation, "unowned-formation": unownedFormation, "uniqueness": uniqueness, "cast": cast,
        "type-of": typeOf, "string-property": stringProperty, "array-property": arrayProperty,
        "dictionary-property": dictionaryProperty, "reference-property": referenceProperty,
        "closure-property": closureProperty, "property-append": propertySetter, "getter": getter,
        "collection-element": collectionElement, "array-element": arrayElement,
        "array-storage": arrayStorage, "closure-context": closureContext, "generic-object": genericObject,
        "managed-buffer": managedBuffer, "error-box": errorBox, "actor": actorObject, "other-thread": otherThread,
        "callback": callback, "unsafe-unowned": unsafeUnowned, "double-free": doubleFree, "realloc": reallocDead,
        "pinned-property": pinnedProperty, "pinned-number": pinnedNumber, "unowned-trap": unownedTrap,
        "raw-pointer": rawPointer, "write-after-free": writeAfterFree, "scalar-read": scalarRead,
        "scalar-write": scalarWrite, "weak-reference-kept": weakReferenceKept, "healthy": healthy,
    ]
}

struct Holder: Hashable {
    var board: Board
    init(_ board: Board) { self.board = board }
    static func == (left: Holder, right: Holder) -> Bool { left.board === right.board }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(board)) }
}

final class Coordinator {
    unowned(unsafe) var board: Board
    init(_ board: Board) { self.board = board }
    @inline(never) static func make() -> Coordinator {
        let board = makeBoard(4)
        let coordinator = Coordinator(board)
        show(coordinator.start())
        withExtendedLifetime(board) {}
        return coordinator
    }
    @inline(never) func start() -> Int { board.flip() }
}

nonisolated(unsafe) var callbackContext: UnsafeMutableRawPointer?

@main enum ZombieUses {
    static func main() {
        let name = CommandLine.arguments.last ?? ""
        guard let use = Cases.all[name] else { return print(Cases.all.keys.sorted().joined(separator: "\n")) }
        use()
        print("done")
    }
}
