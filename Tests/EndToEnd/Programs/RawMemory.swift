// Memory and objects whose owner lost them by hand.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

final class Attribute {
    var number = 1
    var name = String(repeating: "attribute ", count: 5)
}
final class Shared {
    var number = 2
    var part: Part?
}
final class Kept: Owner { var number2 = 3 }

@inline(never) func lostMalloc() {
    let memory = malloc(1_234)!
    memset(memory, 1, 1_234)
    touch(memory)
}
@inline(never) func lostCalloc() {
    let numbers = calloc(100, 24)!.assumingMemoryBound(to: Int.self)
    numbers[7] = 7
    touch(numbers)
}
@inline(never) func lostStrdup() {
    let copy = strdup("a text that nobody frees, long enough")!
    touch(copy)
}
@inline(never) func lostRealloc() {
    var memory = malloc(100)!
    memory = realloc(memory, 5_000)!
    memset(memory, 2, 5_000)
    touch(memory)
}
@inline(never) func lostAligned() {
    var memory: UnsafeMutableRawPointer?
    posix_memalign(&memory, 256, 3_000)
    memset(memory!, 3, 3_000)
    touch(memory)
}
@inline(never) func lostManyMallocs() {
    for number in 0..<100 {
        let memory = malloc(64)!
        memory.storeBytes(of: number, as: Int.self)
        touch(memory)
    }
}
@inline(never) func lostBuffer() {
    let buffer = UnsafeMutableBufferPointer<Int>.allocate(capacity: 500)
    buffer.initialize(repeating: 5)
    touch(buffer)
}
/// The buffer goes, and the objects in it go with it.
@inline(never) func lostBufferOfObjects() {
    let buffer = UnsafeMutablePointer<Part>.allocate(capacity: 5)
    for index in 0..<5 { (buffer + index).initialize(to: Part()) }
    touch(buffer[2])
}
@inline(never) func lostChain() {
    typealias Link = UnsafeMutablePointer<UnsafeMutableRawPointer?>
    var head: UnsafeMutableRawPointer?
    for _ in 0..<10 {
        let link = Link.allocate(capacity: 4)
        link.initialize(repeating: nil, count: 4)
        link[1] = head
        touch(link)
        head = UnsafeMutableRawPointer(link)
    }
    touch(head)
}
@inline(never) func retainedByHand() {
    let attribute = Attribute()
    _ = Unmanaged.passRetained(attribute)
    touch(attribute)
}
@inline(never) func retainedTwice() {
    let attribute = Attribute()
    _ = Unmanaged.passRetained(attribute).retain()
    touch(attribute)
}
/// Somebody owns it still, once less than its count says.
nonisolated(unsafe) var globalShared: Shared?
@inline(never) func overRetainedButHeld() {
    let shared = Shared()
    shared.part = Part()
    _ = Unmanaged.passRetained(shared)
    globalShared = shared
}
@inline(never) func retainedWithContents() {
    let shared = Shared()
    shared.part = Part(Kept())
    _ = Unmanaged.passRetained(shared)
    touch(shared)
}
@inline(never) func lostOpaqueContext() {
    let context = Unmanaged.passRetained(Part()).toOpaque()
    touch(context)
}
@inline(never) func lostClosureContext() {
    let part = Part()
    let other = Part()
    let closure = { touch((part, other)) }
    let box = UnsafeMutablePointer<() -> Void>.allocate(capacity: 1)
    box.initialize(to: closure)
    box.pointee()
}
/// libdispatch keeps the work that it has run, for the next one: its words still name the block.
typealias Work = @convention(c) (UnsafeMutableRawPointer?) -> Void
@inline(never) func lostByQueue() {
    let library = dlopen(nil, RTLD_NOW)
    guard let send = dlsym(library, "dispatch_async_f"), let queue = dlsym(library, "dispatch_get_global_queue") else {
        return print("no libdispatch")
    }
    typealias Send = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?, Work) -> Void
    typealias Queue = @convention(c) (Int, UInt) -> OpaquePointer
    let global = unsafeBitCast(queue, to: Queue.self)(0, 0)
    for _ in 0..<5 {
        let memory = malloc(1_234)!
        memset(memory, 1, 1_234)
        unsafeBitCast(send, to: Send.self)(global, memory) {
            touch($0!.load(as: UInt8.self))
            ran.signal()
        }
        ran.wait()
    }
    waitForRest()
}
let ran = DispatchSemaphore(value: 0)
/// The runtime makes metadata in memory that it takes from malloc as it is: words of the last owner stay in it.
@inline(never) func lostBehindMetadata() {
    print("a line, so that the buffer of the output is not made of such memory")
    let addresses = (0..<5).map { _ in ~UInt(bitPattern: Unmanaged.passRetained(Attribute()).toOpaque()) }
    fill(addresses)
    touch(Deep<Int>.depth(400))
}
nonisolated(unsafe) var walls: [UnsafeMutableRawPointer] = []
@inline(never) func fill(_ addresses: [UInt]) {
    var blocks: [UnsafeMutableRawPointer] = []
    for _ in 0..<64 {
        let block = malloc(16_384)!
        for word in 0..<2_048 { block.storeBytes(of: ~addresses[word % 5], toByteOffset: 8 * word, as: UInt.self) }
        blocks.append(block)
        // Between them, so that freed blocks do not become one.
        walls.append(malloc(24)!)
    }
    for block in blocks { free(block) }
}
/// Memory that lives and is never written to shows what its last owner has left: an address where the object stands by now.
nonisolated(unsafe) var unwritten: (made: UnsafeMutableRawPointer?, grown: UnsafeMutableRawPointer?)
@inline(never) func lostBehindUnwritten() {
    let small = malloc(100)!
    unwritten.made = lose { malloc(3_000)! }
    unwritten.grown = lose { realloc(small, 3_000)! }
}
@inline(never) func lose(behind make: () -> UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let place = malloc(40)!
    let former = malloc(3_000)!
    walls.append(malloc(24)!)
    former.storeBytes(of: place, toByteOffset: 400, as: UnsafeMutableRawPointer.self)
    touch(former)
    free(former)
    let memory = make()
    touch(memory)
    free(place)
    retainedByHand()
    return memory
}
protocol Deepening { static func depth(_ rest: Int) -> Int }
struct Deep<Value>: Deepening {
    var value: Value
    static func depth(_ rest: Int) -> Int { rest == 0 ? MemoryLayout<Self>.size : Deep<Value?>.depth(rest - 1) }
}
/// Freed all, to the last byte.
@inline(never) func everythingFreed() {
    for size in stride(from: 1, through: 100_000, by: 997) {
        var memory = malloc(size)!
        memory = realloc(memory, size * 2)!
        free(memory)
    }
    let buffer = UnsafeMutablePointer<Part>.allocate(capacity: 3)
    buffer.initialize(repeating: Part(), count: 3)
    buffer.deinitialize(count: 3)
    buffer.deallocate()
    let attribute = Unmanaged.passRetained(Attribute())
    attribute.release()
}

let cases: Cases = [
    "malloc": lostMalloc, "calloc": lostCalloc, "strdup": lostStrdup, "realloc": lostRealloc, "aligned": lostAligned,
    "many-mallocs": lostManyMallocs, "buffer": lostBuffer, "buffer-of-objects": lostBufferOfObjects,
    "chain": lostChain, "retained": retainedByHand, "retained-twice": retainedTwice,
    "over-retained-held": overRetainedButHeld, "retained-with-contents": retainedWithContents,
    "opaque-context": lostOpaqueContext, "closure-in-buffer": lostClosureContext,
    "lost-by-queue": lostByQueue, "behind-metadata": lostBehindMetadata, "behind-unwritten": lostBehindUnwritten,
    "all-freed": everythingFreed,
]
