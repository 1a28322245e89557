// Programs that lose nothing: every way to be alive when the process ends.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

final class Thing {
    var number = 1
    var text = String(repeating: "a thing ", count: 5)
    var next: Thing?
}
final class Twin {
    var number = 1
    var other: Twin?
}

@inline(never) func makeTwins() -> Twin {
    let a = Twin()
    a.other = Twin()
    a.other?.other = a
    return a
}

// ------------------------------------------------------------------------------------------------------ globals

nonisolated(unsafe) var globalThing: Thing?
nonisolated(unsafe) var globalTwin: Twin?
enum Cache {
    nonisolated(unsafe) static let shared = Thing()
    nonisolated(unsafe) static var all: [String: Thing] = [:]
}
nonisolated(unsafe) let globalTuple: (Int, (Thing, [Thing])) = (1, (Thing(), [Thing(), Thing()]))
protocol Drawable {}
struct Large: Drawable {
    var a = 1, b = 2, c = 3, d = 4
    var thing = Thing()
}
extension Thing: Drawable {}
nonisolated(unsafe) var globalExistential: any Drawable = Thing()
nonisolated(unsafe) var globalLarge: any Drawable = Large()
nonisolated(unsafe) var globalAny: Any = Large()
nonisolated(unsafe) var globalError: (any Error)?
struct Failure: Error {
    var thing = Thing()
    var reason = String(repeating: "because ", count: 5)
}
nonisolated(unsafe) var globalClosure: (() -> Void)?

@inline(never) func globals() {
    globalThing = Thing()
    globalThing?.next = Thing()
    globalTwin = makeTwins()
    for number in 0..<30 { Cache.all["thing number \(number) of the cache"] = Thing() }
    touch((Cache.shared, globalTuple))
}
@inline(never) func existentials() {
    globalExistential = Large()
    globalLarge = Large()
    globalAny = ["key": Large(), "other": Thing()] as [String: Any]
    globalError = Failure()
}
@inline(never) func closures() {
    let thing = Thing()
    var counter = 0
    globalClosure = {
        counter += 1
        thing.number += counter
    }
    globalClosure?()
}

// ------------------------------------------------------------------------------------------------------ encodings

enum Multi {
    case thing(Thing)
    case twin(Twin)
    case other(Thing)
    case fourth(Twin)
    case none, nothing
}
enum Payload: Hashable {
    case number(Int)
    case text(String)
    case pair(String, String)
    case nested([String])
    case nothing
}
indirect enum Tree {
    case leaf(String)
    case node(Tree, Thing, Tree)
}
nonisolated(unsafe) var globalMulti: [Multi] = []
nonisolated(unsafe) var globalOneMulti = Multi.none
nonisolated(unsafe) var globalPayloads: [Payload: Payload] = [:]
nonisolated(unsafe) var globalTree = Tree.leaf("seed")
nonisolated(unsafe) var globalStrings: [String] = []
nonisolated(unsafe) var globalText = ""
nonisolated(unsafe) var globalResult: Result<Thing, Failure>?
nonisolated(unsafe) var globalResults: [Result<[Thing], Failure>?] = []
nonisolated(unsafe) var globalCharacters: [Character] = []
nonisolated(unsafe) var globalSubstring = Substring()
nonisolated(unsafe) var globalStaticMix: [Any] = []

@inline(never) func spareBits() {
    globalOneMulti = .fourth(makeTwins())
    for _ in 0..<10 { globalMulti += [.thing(Thing()), .twin(makeTwins()), .other(Thing()), .fourth(Twin()), .none] }
}
@inline(never) func enumStorage() {
    for number in 0..<40 {
        let long = "a text that does not fit into sixteen bytes, number \(number)"
        globalPayloads[.text(long)] = .pair(long + "!", long + "?")
        globalPayloads[.pair(long, "short")] = .nested([long + ".", "s", long + ","])
        globalPayloads[.number(number)] = .nothing
    }
    globalTree = .node(.node(.leaf("left of the left, a long text"), Thing(), .leaf("r")), Thing(), .leaf("right"))
    globalResult = .success(Thing())
    globalResults = [.success([Thing()]), .failure(Failure()), nil]
}
@inline(never) func strings() {
    globalText = String(repeating: "x", count: 100_000)
    for number in 0..<100 {
        globalStrings.append("small \(number)")
        globalStrings.append("native and long, with its number \(number), and more words")
        globalStrings.append(String(repeating: "grün ", count: number))
        globalStrings.append(NSString(string: "bridged from Foundation, number \(number)") as String)
        globalCharacters.append(Character("👨‍👩‍👧‍👦\(number % 2 == 0 ? "\u{301}\u{302}\u{303}\u{304}" : "")"))
    }
    let whole = "the whole of which only a part is kept, and the whole is long"
    globalSubstring = (whole + "\(globalStrings.count)").suffix(8)
    globalStaticMix = ["literal", 1, 2.5, whole, Substring(whole), UUID(), Decimal(5), Thing(), NSNumber(value: 4)]
}
/// The last element of a grown array lies beyond what was asked of malloc.
nonisolated(unsafe) var globalArrays: [[Thing]] = []
nonisolated(unsafe) var globalOptionals: [[Thing?]] = []
@inline(never) func slack() {
    for length in 1...60 {
        var array: [Thing] = []
        for _ in 0..<length { array.append(Thing()) }
        while array.count < array.capacity { array.append(Thing()) }
        globalArrays.append(array)
        var optional: [Thing?] = [nil]
        while optional.count < optional.capacity || optional.count < length { optional.append(Thing()) }
        globalOptionals.append(optional)
    }
}

// ------------------------------------------------------------------------------------------------------ pointers

nonisolated(unsafe) var globalPointer: UnsafeMutablePointer<Thing>?
nonisolated(unsafe) var globalInterior: UnsafeMutablePointer<Int>?
nonisolated(unsafe) var globalOpaque: OpaquePointer?
nonisolated(unsafe) var globalRaw: UnsafeMutableRawPointer?
nonisolated(unsafe) var globalTable: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
@inline(never) func unsafePointers() {
    globalPointer = .allocate(capacity: 10)
    for index in 0..<10 { (globalPointer! + index).initialize(to: Thing()) }
    globalOpaque = OpaquePointer(Unmanaged.passRetained(Thing()).toOpaque())
    globalRaw = malloc(777)
    globalTable = .allocate(capacity: 4)
    globalTable!.initialize(repeating: nil, count: 4)
    for index in 0..<4 { globalTable![index] = strdup("text number \(index), kept by a table of C strings") }
}
@inline(never) func interior() {
    let numbers = UnsafeMutablePointer<Int>.allocate(capacity: 1_000)
    numbers.initialize(repeating: 3, count: 1_000)
    globalInterior = numbers + 500
    let things = UnsafeMutablePointer<Thing>.allocate(capacity: 10)
    for index in 0..<10 { (things + index).initialize(to: Thing()) }
    globalPointer = things + 9
}
/// Only memory that malloc does not know holds the object.
@inline(never) func mapped() {
    let page = mmap(nil, 65_536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    let slots = page.bindMemory(to: UnsafeMutableRawPointer?.self, capacity: 8)
    for index in 0..<8 { slots[index] = Unmanaged.passRetained(Thing()).toOpaque() }
    globalRaw = page
}
@inline(never) func environment() {
    for number in 0..<20 { setenv("GAME_VARIABLE_\(number)", "a value that setenv copies, number \(number)", 1) }
    putenv(strdup("GAME_PUT=a string that the environment itself points to"))
}

// ------------------------------------------------------------------------------------------------------ threads

final class Locked: @unchecked Sendable {
    let condition = NSCondition()
    let semaphore = DispatchSemaphore(value: 0)
}
let locked = Locked()

@inline(never) func startThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    for number in 0..<count { Thread { body(number) }.start() }
    usleep(50_000)
}
@inline(never) func hold(_ number: Int, _ block: () -> Void) {
    let thing = Thing()
    thing.number = number
    thing.next = Thing()
    let twins = makeTwins()
    let text = "a text that only this thread's stack knows, \(number)"
    block()
    touch((thing, twins, text))
    twins.other = nil
}
@inline(never) func sleepingThreads() { startThreads(4) { hold($0) { sleep(3_600) } } }
@inline(never) func readingThreads() {
    startThreads(4) {
        hold($0) {
            var pipes: [Int32] = [0, 0]
            pipe(&pipes)
            var byte: UInt8 = 0
            read(pipes[0], &byte, 1)
        }
    }
}
@inline(never) func waitingThreads() {
    startThreads(4) {
        hold($0) {
            locked.condition.lock()
            locked.condition.wait()
            locked.condition.unlock()
        }
    }
}
@inline(never) func semaphoreThreads() { startThreads(4) { hold($0) { locked.semaphore.wait() } } }
@inline(never) func pollingThreads() { startThreads(4) { hold($0) { poll(nil, 0, 3_600_000) } } }
@inline(never) func spinningThreads() {
    startThreads(2) {
        hold($0) {
            var number = 0
            while !stopSpinning { number &+= 1 }
            touch(number)
        }
    }
}
nonisolated(unsafe) var stopSpinning = false
@inline(never) func churningThreads() {
    startThreads(8) { number in
        var kept: [Thing] = []
        while !stopSpinning {
            kept.append(Thing())
            let twins = makeTwins()
            twins.other = nil
            if kept.count > 100 { kept.removeAll() }
            touch("\(number) texts of some length \(kept.count)")
        }
    }
}
@inline(never) func finishedThreads() {
    for _ in 0..<10 { Thread { hold(1) {} }.start() }
    usleep(100_000)
}
let key: pthread_key_t = {
    var key: pthread_key_t = 0
    pthread_key_create(&key) { Unmanaged<Thing>.fromOpaque($0!).release() }
    return key
}()
@inline(never) func threadSpecific() {
    pthread_setspecific(key, Unmanaged.passRetained(Thing()).toOpaque())
    startThreads(3) { _ in
        pthread_setspecific(key, Unmanaged.passRetained(Thing()).toOpaque())
        sleep(3_600)
    }
}
/// Keys beyond the first 32 live in a block of their own.
@inline(never) func manyThreadKeys() {
    for _ in 0..<100 {
        var another: pthread_key_t = 0
        pthread_key_create(&another, nil)
        pthread_setspecific(another, Unmanaged.passRetained(Thing()).toOpaque())
    }
}
@inline(never) func threadDictionary() {
    Thread.current.threadDictionary["thing"] = Thing()
    startThreads(3) { _ in
        Thread.current.threadDictionary["thing"] = Thing()
        sleep(3_600)
    }
}
/// A thread with its stack in memory of its own making.
@inline(never) func ownStack() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    let size = 1 << 20
    let stack = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    pthread_attr_setstack(&attributes, stack, size)
    var thread = pthread_t()
    pthread_create(
        &thread, &attributes,
        { _ in
            hold(5) { sleep(3_600) }
            return nil
        }, nil)
    usleep(50_000)
}
@inline(never) func mallocStack() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    var stack: UnsafeMutableRawPointer?
    posix_memalign(&stack, 4_096, 1 << 18)
    pthread_attr_setstack(&attributes, stack!, 1 << 18)
    globalRaw = stack
    var thread = pthread_t()
    pthread_create(
        &thread, &attributes,
        { _ in
            hold(6) { sleep(3_600) }
            return nil
        }, nil)
    usleep(50_000)
}

// ------------------------------------------------------------------------------------------------------ the end

@inline(never) func exitDeep() {
    let thing = Thing()
    let twins = makeTwins()
    descend(10, [Thing(), Thing()])
    touch((thing, twins))
}
@inline(never) func descend(_ depth: Int, _ things: [Thing]) {
    if depth == 0 {
        print("leaving from deep inside")
        exit(0)
    }
    let mine = Thing()
    descend(depth - 1, things + [mine])
    touch(mine)
}
/// Optimised code forgets a local in front of a call that never returns.
@inline(never) func exitForgetting() {
    let thing = Thing()
    touch(thing)
    print("leaving without releasing")
    exit(0)
}
@inline(never) func exitFromThread() {
    let thing = Thing()
    Thread {
        let other = Thing()
        print("leaving from another thread")
        exit(other.next == nil ? 0 : 1)
    }.start()
    while true {
        sleep(1)
        touch(thing)
    }
}
@inline(never) func exitFromQueue() {
    let thing = Thing()
    DispatchQueue.global().async {
        let twins = makeTwins()
        print("leaving from a queue")
        exit(touched(twins) ? 0 : 1)
    }
    while true {
        sleep(1)
        touch(thing)
    }
}
/// The main thread leaves its stack by pthread_exit; whatever its functions hold stays theirs.
@inline(never) func leaveToTheQueues() {
    let thing = Thing()
    let twins = makeTwins()
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + 0.05, repeating: 0.05)
    timer.setEventHandler {
        touch(thing)
    }
    timer.resume()
    let things = (1...10).map { _ in Thing() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) {
        print("leaving from the main queue", touched(twins), things.count)
        exit(0)
    }
    awaitTheEnd(of: [Thing(), Thing()])
}
@inline(never) func awaitTheEnd(of things: [Thing]) -> Never {
    let mine = Thing()
    touch((mine, things))
    dispatchMain()
}
@inline(never) func exitFromTask() {
    let thing = Thing()
    Task.detached {
        let twins = makeTwins()
        await Task.yield()
        print("leaving from a task")
        exit(touched(twins) ? 0 : 1)
    }
    while true {
        sleep(1)
        touch(thing)
    }
}
@inline(never) func touched(_ twins: Twin) -> Bool { twins.other != nil }
@inline(never) func quickExit() {
    let thing = Thing()
    print("leaving without goodbye")
    fflush(stdout)
    _exit(touched(makeTwinsAndKeep(thing)) ? 0 : 1)
}
@inline(never) func makeTwinsAndKeep(_ thing: Thing) -> Twin {
    globalThing = thing
    globalTwin = makeTwins()
    return globalTwin!
}
@inline(never) func exitHandlers() {
    atexit {
        touch(globalThing)
        print("a handler runs at the end", globalThing?.number ?? 0)
    }
    globalThing = Thing()
}
@inline(never) func printOnly() { print("hello, world") }

// ------------------------------------------------------------------------------------------------------ the rest

/// Nobody but a register knows the object while another function spins.
@inline(never) func registersOnly() {
    startThreads(2) { number in
        var thing = Thing()
        var sum = 0
        while !stopSpinning {
            sum &+= thing.number
            if sum == .min { thing = Thing() }
        }
        touch((thing, sum))
    }
}
@inline(never) func loadedLibrary() {
    for name in ["libm.so.6", "libresolv.so.2", "libutil.so.1", "libz.so.1"] {
        if let library = dlopen(name, RTLD_NOW), let symbol = dlsym(library, "compress") ?? dlsym(library, "cos") {
            touch(symbol)
        }
    }
}
@inline(never) func unloadedLibraries() {
    for _ in 0..<20 { if let library = dlopen("libutil.so.1", RTLD_NOW) { dlclose(library) } }
}
@inline(never) func handlesOfC() {
    setvbuf(stdout, nil, _IOLBF, 4_096)
    let file = fopen("/proc/self/status", "r")!
    var line: UnsafeMutablePointer<CChar>?
    var length = 0
    getline(&line, &length, file)
    free(line)
    globalRaw = UnsafeMutableRawPointer(file)
    setlocale(LC_ALL, "C.UTF-8")
    tzset()
    var moment = time(nil)
    touch(localtime(&moment).pointee.tm_year)
}
/// A queue of the book's kind: head and tail, the middle reachable from its neighbours only.
nonisolated(unsafe) var globalHead: Thing?
@inline(never) func longList() {
    for number in 0..<100_000 {
        let thing = Thing()
        thing.number = number
        thing.next = globalHead
        globalHead = thing
    }
    print("a list of", globalHead!.number + 1)
    exit(0)
}
nonisolated(unsafe) var globalSets: [AnyHashable: Set<Payload>] = [:]
nonisolated(unsafe) var globalNested: [String: [Int: [Thing?]]] = [:]
@inline(never) func collections() {
    for number in 0..<50 {
        globalSets[number] = [.number(number), .text("a long text in a set, number \(number)")]
        globalSets["a string for a key, number \(number)"] = [.nothing]
        globalNested["group number \(number) of many", default: [:]][number, default: []].append(Thing())
        globalNested["group number \(number) of many"]![number]!.append(nil)
    }
}
final class TailHeader { var number = 1 }
nonisolated(unsafe) var globalBuffer: ManagedBuffer<TailHeader, Thing>?
@inline(never) func tailAllocated() {
    let buffer = ManagedBuffer<TailHeader, Thing>.create(minimumCapacity: 9) { _ in TailHeader() }
    buffer.withUnsafeMutablePointerToElements { for index in 0..<9 { ($0 + index).initialize(to: Thing()) } }
    globalBuffer = buffer
    // Its capacity counts what the allocator gave beyond what was asked for.
    for wanted in 1...20 {
        let full = ManagedBuffer<TailHeader, Thing>.create(minimumCapacity: wanted) { _ in TailHeader() }
        full.withUnsafeMutablePointerToElements {
            for index in 0..<full.capacity { ($0 + index).initialize(to: Thing()) }
        }
        globalBuffers.append(full)
    }
}
nonisolated(unsafe) var globalBuffers: [ManagedBuffer<TailHeader, Thing>] = []
nonisolated(unsafe) var globalIterator: AnyIterator<Thing>?
nonisolated(unsafe) var globalSequence: AnySequence<Thing>?
nonisolated(unsafe) var globalGenerator = [Thing]().makeIterator()
nonisolated(unsafe) var globalKeyPath: AnyKeyPath?
nonisolated(unsafe) var globalType: Any.Type = Int.self
@inline(never) func iterators() {
    var things = (0..<5).map { _ in Thing() }
    globalSequence = AnySequence(things)
    globalGenerator = things.makeIterator()
    _ = globalGenerator.next()
    globalIterator = AnyIterator { things.popLast() }
    touch(globalIterator?.next())
    globalKeyPath = (\Thing.text).appending(path: \String.count)
    globalType = [String: (Thing, [Large?])].self
    touch(_typeName(globalType))
}

let cases: Cases = [
    "print": printOnly, "globals": globals, "existentials": existentials, "closures": closures,
    "spare-bits": spareBits, "enum-storage": enumStorage, "strings": strings, "slack": slack,
    "unsafe-pointers": unsafePointers, "interior": interior, "mapped": mapped, "environment": environment,
    "sleeping-threads": sleepingThreads, "reading-threads": readingThreads, "waiting-threads": waitingThreads,
    "semaphore-threads": semaphoreThreads, "polling-threads": pollingThreads, "spinning-threads": spinningThreads,
    "churning-threads": churningThreads, "finished-threads": finishedThreads, "thread-specific": threadSpecific,
    "many-thread-keys": manyThreadKeys, "thread-dictionary": threadDictionary, "own-stack": ownStack,
    "malloc-stack": mallocStack, "exit-deep": exitDeep, "exit-forgetting": exitForgetting,
    "exit-from-thread": exitFromThread,
    "exit-from-queue": exitFromQueue, "dispatch-main": leaveToTheQueues, "exit-from-task": exitFromTask,
    "quick-exit": quickExit,
    "exit-handlers": exitHandlers, "registers": registersOnly, "loaded-library": loadedLibrary,
    "unloaded-libraries": unloadedLibraries, "handles-of-c": handlesOfC, "long-list": longList,
    "collections": collections, "tail-allocated": tailAllocated, "iterators": iterators,
]
