// Cycles that nothing with a count holds from outside. An operation in flight keeps itself alive until the library, which
// knows it by a plain pointer, calls back: nothing is lost. Others are lost, whatever word still names them.
import Foundation

@main enum Program {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "local-loop": runLocalLoop()
        case "local-table": runLocalTable()
        case "local-chain": runLocalChain()
        case "local-shared": runLocalShared()
        default: run(cases)
        }
    }
}

final class Request {
    var number = 1
    var keepAlive: Request?
    var loop: Loop?
    var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    init(in loop: Loop? = nil) {
        self.loop = loop
        keepAlive = self
    }
}
final class Upload {
    var source: Source?
}
final class Source {
    var number = 2
    var upload: Upload?
}

/// A library's memory, as malloc gives it.
typealias Table = UnsafeMutablePointer<UnsafeMutableRawPointer?>
@inline(never) func makeTable(_ count: Int) -> Table {
    let table = Table.allocate(capacity: count)
    table.initialize(repeating: nil, count: count)
    return table
}

nonisolated(unsafe) var globalTable: Table?
nonisolated(unsafe) var globalPointers: [UnsafeRawPointer] = []
nonisolated(unsafe) var globalHandles: [Int: Unmanaged<Request>] = [:]
nonisolated(unsafe) var globalIdentifiers: Set<ObjectIdentifier> = []

@inline(never) func fill(_ table: Table) {
    for place in 0..<3 { table[place] = Request().address }
}
@inline(never) func inTable() {
    globalTable = makeTable(4)
    fill(globalTable!)
}
/// Each operation of the list leads to the next, and the global to the first.
@inline(never) func inList() {
    globalTable = makeTable(2)
    var place = globalTable!
    for _ in 0..<3 {
        let next = makeTable(2)
        next[0] = Request().address
        place[1] = UnsafeMutableRawPointer(next)
        place = next
    }
}
@inline(never) func inChain() {
    globalTable = makeTable(1)
    chain(from: globalTable!)
}
/// The first request's own memory names the second, and so on.
@inline(never) func chain(from first: Table) {
    var place = first
    for _ in 0..<3 {
        let request = Request(in: Loop())
        place[0] = request.address
        place = request.loop!.table
    }
}
@inline(never) func inPair() {
    let upload = Upload()
    upload.source = Source()
    upload.source?.upload = upload
    globalTable = makeTable(1)
    globalTable![0] = Unmanaged.passUnretained(upload.source!).toOpaque()
}
@inline(never) func inPointers() { globalPointers = (0..<3).map { _ in UnsafeRawPointer(Request().address) } }
@inline(never) func inHandles() {
    for number in 0..<3 { globalHandles[number] = Unmanaged.passUnretained(Request()) }
}
/// Three bits below the address say what is in flight.
@inline(never) func withTags() {
    globalTable = makeTable(3)
    for place in 0..<3 { globalTable![place] = Request().address + place + 1 }
}
@inline(never) func inMapping() {
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)!
    fill(memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
}
@_silgen_name("epoll_create1") func makeSet(_ flags: Int32) -> Int32
@_silgen_name("epoll_ctl") func change(_ set: Int32, _ how: Int32, _ file: Int32, _ event: UnsafeRawPointer) -> Int32
/// The event is packed: its pointer begins behind four bytes.
@inline(never) func inKernel() {
    let set = makeSet(0)
    for _ in 0..<3 {
        let event = UnsafeMutableRawPointer.allocate(byteCount: 12, alignment: 4)
        event.storeBytes(of: 1, as: UInt32.self)
        event.storeBytes(of: Request().address, toByteOffset: 4, as: UnsafeMutableRawPointer.self)
        var ends: [Int32] = [0, 0]
        touch((pipe(&ends), change(set, 1, ends[0], event)))
        event.storeBytes(of: 0, toByteOffset: 4, as: Int.self)
        event.deallocate()
    }
}

/// Owns the library's memory; each request knows its loop.
final class Loop {
    let table = makeTable(3)
    var number = 4
}
/// Only a variable of a function that ends the program leads to the operations.
@inline(never) func runLocalLoop() {
    let loop = Loop()
    for place in 0..<3 { loop.table[place] = Request(in: loop).address }
    withExtendedLifetime(loop) { callBack(loop) }
}
@inline(never) func callBack(_ loop: Loop) {
    settle()
    print(loop.number)
    exit(0)
}
@inline(never) func runLocalTable() {
    let table = makeTable(3)
    fill(table)
    settle()
    print(table[0] != nil)
    exit(0)
}
/// Only what is recognised as in flight leads to the next operation.
@inline(never) func runLocalChain() {
    let table = makeTable(1)
    chain(from: table)
    settle()
    print(table[0] != nil)
    exit(0)
}
/// The library's handle leads to the memory that the requests' loop owns too.
@inline(never) func runLocalShared() {
    let handle = makeTable(2)
    share(handle)
    settle()
    print(handle[0] != nil)
    exit(0)
}
@inline(never) func share(_ handle: Table) {
    let loop = Loop()
    for place in 0..<3 { loop.table[place] = Request(in: loop).address }
    handle[0] = UnsafeMutableRawPointer(loop.table)
}

// --------------------------------------------------------------------------------------------------------- lost

/// Its own memory names it, as a parser of C knows the object that made it.
final class Reader {
    let context = makeTable(2)
    var onEnd: (() -> Void)?
    init() { context[1] = Unmanaged.passUnretained(self).toOpaque() }
}
@inline(never) func ownContext() {
    for _ in 0..<3 {
        let reader = Reader()
        reader.onEnd = { touch(reader) }
        touch(reader.context)
    }
}
/// The same, lost by the function that ends the program: its stack still shows object and memory.
@inline(never) func ownContextBeforeExit() {
    ownContext()
    exit(0)
}
@inline(never) func identified() {
    for _ in 0..<3 { globalIdentifiers.insert(ObjectIdentifier(Request())) }
}
/// What was removed stands in the room that the array has left.
@inline(never) func removedFromArray() {
    globalPointers.reserveCapacity(8)
    for _ in 0..<3 { globalPointers.append(UnsafeRawPointer(Request().address)) }
    globalPointers.removeLast(3)
}
/// As a deque of the user's has it: the buffer does not know which places are in use.
final class Buffer: ManagedBuffer<Int, Request> {}
nonisolated(unsafe) var globalBuffer: ManagedBuffer<Int, Request>?
@inline(never) func removedFromBuffer() {
    globalBuffer = Buffer.create(minimumCapacity: 8) { _ in 0 }
    globalBuffer!.withUnsafeMutablePointerToElements { elements in
        (elements + 1).initialize(to: Request())
        (elements + 1).deinitialize(count: 1)
    }
}
/// What the library has freed names nothing.
@inline(never) func freedTable() {
    let table = makeTable(64)
    fill(table)
    table.deallocate()
}

let cases: Cases = [
    "table": inTable, "list": inList, "chain": inChain, "pair": inPair, "pointers": inPointers, "handles": inHandles,
    "tags": withTags, "mapping": inMapping, "kernel": inKernel, "own-context": ownContext,
    "own-context-exit": ownContextBeforeExit, "identified": identified, "removed-from-array": removedFromArray,
    "removed-from-buffer": removedFromBuffer, "freed-table": freedTable,
]
