// Sound programs that do unusual things with memory: whoever watches for dead objects must stay silent and leave their
// output as it is.
import Dispatch
import Foundation

final class Node {
    var next: Node?
    let value: Int
    init(_ value: Int, _ next: Node?) {
        self.value = value
        self.next = next
    }
}

/// A list whose deinit goes down twenty thousand levels.
@inline(never) func deepRelease() -> Int {
    var list: Node?
    for value in 0..<20_000 { list = Node(value, list) }
    let first = list!.value
    list = nil
    return first
}

/// Threads that hand objects on, so that hardly any dies where it was born.
final class Mailbox: @unchecked Sendable {
    private let lock = NSLock()
    private var letters: [Node] = []
    func put(_ node: Node) { lock.withLock { letters.append(node) } }
    func take() -> Node? { lock.withLock { letters.popLast() } }
}

@inline(never) func threads() -> Int {
    let boxes = (0..<4).map { _ in Mailbox() }
    let group = DispatchGroup()
    let lock = NSLock()
    nonisolated(unsafe) var taken = 0
    for index in 0..<4 {
        group.enter()
        Thread {
            var count = 0
            for value in 0..<5_000 {
                boxes[(index + 1) % 4].put(Node(value, Node(value + 1, nil)))
                count += boxes[index].take() == nil ? 0 : 1
            }
            lock.withLock { taken += count }
            group.leave()
        }.start()
    }
    group.wait()
    for box in boxes { while box.take() != nil { taken += 1 } }
    return taken
}

actor Table {
    private var scores: [String: [Int]] = [:]
    func add(_ score: Int, for name: String) { scores[name, default: []].append(score) }
    func total() -> Int { scores.values.reduce(0) { $0 + $1.reduce(0, +) } }
}

func tasks() async -> Int {
    let table = Table()
    await withTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
            group.addTask {
                await Task.yield()
                await table.add(index, for: "player \(index % 7)")
            }
        }
    }
    let stream = AsyncStream<[Int]> { continuation in
        for index in 0..<200 { continuation.yield([index, index]) }
        continuation.finish()
    }
    var sum = 0
    for await pair in stream { sum += pair[0] }
    let cancelled = Task { try? await Task.sleep(for: .seconds(60)) }
    cancelled.cancel()
    _ = await cancelled.value
    return await table.total() + sum
}

struct Letter: Codable {
    var title: String
    var lines: [String]
    var stamps: [String: Double]
}

@inline(never) func foundation() throws -> Int {
    var size = 0
    let cache = NSCache<NSString, NSNumber>()
    let center = NotificationCenter()
    let token = center.addObserver(forName: .init("letter"), object: nil, queue: nil) { _ in size += 1 }
    for index in 0..<200 {
        let letter = Letter(title: "letter \(index)", lines: ["a", "b"], stamps: ["x": Double(index)])
        let data = try JSONEncoder().encode(letter)
        size += try JSONDecoder().decode(Letter.self, from: data).lines.count
        cache.setObject(NSNumber(value: index), forKey: "\(index)" as NSString)
        center.post(name: .init("letter"), object: nil)
        size += String(format: "%05d %@", index, "text" as NSString).split(separator: " ").count
        size += (letter.title as NSString).range(of: "\(index)").length > 0 ? 1 : 0
    }
    center.removeObserver(token)
    size += Calendar(identifier: .gregorian).component(.year, from: Date(timeIntervalSince1970: 0))
    size += "c,b,a".components(separatedBy: ",").sorted().count
    return size
}

/// Larger than the quarantine takes, and grown in place.
@inline(never) func hugeArrays() -> Int {
    var numbers: [Int] = []
    for value in 0..<3_000_000 { numbers.append(value) }
    var copy = numbers
    copy.removeLast(1_000_000)
    copy.reserveCapacity(4_000_000)
    numbers = []
    return copy.count
}

@inline(never) func dictionaryChurn() -> Int {
    var words: [String: [String]] = [:]
    for index in 0..<20_000 {
        words["a key that does not fit into a word \(index % 997)", default: []].append("\(index)")
        if index % 3 == 0 { words["a key that does not fit into a word \(index % 991)"] = nil }
    }
    var seen = Set(words.keys)
    seen.formSymmetricDifference(["one", "two"])
    return words.values.reduce(seen.count) { $0 + $1.count }
}

final class Parent {
    var children: [Child] = []
    deinit { children.removeAll() }
}
final class Child {
    weak var parent: Parent?
    unowned let maker: Parent
    unowned(unsafe) let plain: Parent
    init(_ parent: Parent) {
        self.parent = parent
        maker = parent
        plain = parent
    }
    deinit { if parent != nil { print("a parent outlived its deinit") } }
}

@inline(never) func weakAndUnowned() -> Int {
    var found = 0
    var kept: [Child] = []
    for _ in 0..<500 {
        let parent = Parent()
        for _ in 0..<5 { parent.children.append(Child(parent)) }
        found += parent.children.filter { $0.parent === $0.maker && $0.plain === $0.maker }.count
        kept.append(parent.children[0])
    }
    return found + kept.filter { $0.parent == nil }.count
}

/// Passes itself around, is retained, forms a weak reference to itself and runs a closure over itself while it dies.
final class Dying {
    static func look(at dying: Dying) -> Int { withExtendedLifetime(dying) { dying.name.count } }
    nonisolated(unsafe) static var sum = 0
    let name = "a name that does not fit into a word"
    deinit {
        let others = [self, self]
        let count = { others.reduce(0) { $0 + Dying.look(at: $1) } }
        Self.sum += count()
        weak let nothing = self
        Self.sum += nothing == nil ? 1 : 0
    }
}

@inline(never) func resurrecting() -> Int {
    for _ in 0..<500 { _ = Dying() }
    return Dying.sum
}

final class Pool {
    private var free: [ManagedBuffer<Int, Node?>] = []
    func take() -> ManagedBuffer<Int, Node?> {
        free.popLast() ?? ManagedBuffer<Int, Node?>.create(minimumCapacity: 8) { _ in 0 }
    }
    func put(_ buffer: ManagedBuffer<Int, Node?>) { free.append(buffer) }
}

@inline(never) func pools() -> Int {
    let pool = Pool()
    var sum = 0
    for round in 0..<3_000 {
        let buffer = pool.take()
        buffer.withUnsafeMutablePointers { header, elements in
            header.pointee = round
            elements.initialize(to: Node(round, nil))
            sum += elements.move()!.value & 1
        }
        if round % 5 != 0 { pool.put(buffer) }
    }
    return sum
}

@inline(never) func reusedArrays() -> Int {
    var nodes = ContiguousArray<Node>()
    var sum = 0
    for round in 0..<300 {
        for value in 0..<64 { nodes.append(Node(value, nodes.last)) }
        sum += nodes.reduce(0) { $0 + $1.value }
        nodes.removeAll(keepingCapacity: round % 2 == 0)
    }
    return sum
}

@inline(never) func unmanaged() -> Int {
    var addresses: [UnsafeMutableRawPointer] = []
    var sum = 0
    for value in 0..<3_000 { addresses.append(Unmanaged.passRetained(Node(value, nil)).toOpaque()) }
    for address in addresses { sum += Unmanaged<Node>.fromOpaque(address).takeUnretainedValue().value }
    for address in addresses { sum += Unmanaged<Node>.fromOpaque(address).takeRetainedValue().value }
    let memory = UnsafeMutablePointer<Node>.allocate(capacity: 16)
    for index in 0..<16 { (memory + index).initialize(to: Node(index, nil)) }
    sum += (0..<16).reduce(0) { $0 + memory[$1].value }
    memory.deinitialize(count: 16)
    memory.deallocate()
    return sum
}

protocol Shape { func area() -> Double }
struct Wide: Shape {
    var a = 1.0, b = 2.0, c = 3.0, d = 4.0, name = "wide"
    func area() -> Double { a * b * c * d }
}
enum Tree {
    indirect case node(Tree, Tree)
    case leaf([Int])
    var count: Int {
        switch self {
        case .node(let left, let right): left.count + right.count
        case .leaf(let values): values.count
        }
    }
}
struct Oops: Error { var text: String }

/// Boxes that the compiler makes: existentials, indirect enums, errors, captured variables, key paths.
@inline(never) func boxes() -> Int {
    var shapes: [any Shape] = []
    var makers: [() -> Int] = []
    var tree = Tree.leaf([1, 2])
    var caught = 0
    for index in 0..<1_000 {
        shapes.append(Wide(a: Double(index)))
        var counter = index
        makers.append {
            counter += 1
            return counter
        }
        if index % 50 == 0 { tree = .node(tree, .leaf([index])) }
        do { throw Oops(text: "an error that does not fit into a word \(index)") } catch { caught += 1 }
    }
    let path: KeyPath<Wide, Int> = (\Wide.name).appending(path: \.count)
    return Int(shapes.reduce(0) { $0 + $1.area() }) + makers.reduce(0) { $0 + $1() } + tree.count + caught
        + Wide()[keyPath: path]
}

@main enum Healthy {
    static func main() async throws {
        print("deep", deepRelease())
        print("threads", threads())
        print("tasks", await tasks())
        print("foundation", try foundation())
        print("huge", hugeArrays())
        print("churn", dictionaryChurn())
        print("weak", weakAndUnowned())
        print("dying", resurrecting())
        print("pools", pools())
        print("arrays", reusedArrays())
        print("unmanaged", unmanaged())
        print("boxes", boxes())
    }
}
