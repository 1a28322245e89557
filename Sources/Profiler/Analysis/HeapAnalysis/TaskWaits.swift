import GameprofBasics
import GameprofTrace

/// Lost tasks that wait: each holds itself and what its frames hold until it ends, whatever becomes of its handles.
struct TaskWaits {
    /// Tasks that wait for one another: when what one waits for comes, all end.
    struct Family {
        var tasks: [Int32]
        /// The references that go when they end: of their records and frames, and those of continuations to them.
        var edges: [Int32] = []
    }

    /// Those that have not ended.
    private(set) var running: Set<Int32> = []
    private(set) var families: [Family] = []
    /// By task; none where a task has no frames: what its own retain is for is not known.
    private(set) var family: [Int32: Int] = [:]
    /// By task and by frame: whose it is.
    private var owner: [Int32: Int32] = [:]
    private var incoming: [Int32: [Int32]] = [:]
    /// Of what is no user's or library's object.
    private var outgoing: [Int32: [Int32]] = [:]
    private let graph: HeapGraph
    private let roles: ObjectRoles
    /// Objects that a search for what a task waits for looks at.
    private static let searched = 64

    /// Linear in the references; without tasks that wait, in the objects.
    init(graph: HeapGraph, roles: ObjectRoles) {
        (self.graph, self.roles) = (graph, roles)
        var retains: [Int32: UInt32] = [:]
        for (index, object) in graph.objects.enumerated() where object.isLost && roles[Int32(index)] == .task {
            retains[Int32(index)] = object.strong
        }
        guard !retains.isEmpty else { return }
        for edge in graph.edges where edge.ownership == .strong {
            if let left = retains[edge.to], left > 0 { retains[edge.to] = left - 1 }
        }
        // A task that has ended has no retain of its own.
        running = Set(retains.filter { $0.value > 0 }.keys)
        guard !running.isEmpty else { return }
        for (position, edge) in graph.edges.enumerated() where graph.object(edge.from).isLost {
            incoming[edge.to, default: []].append(Int32(position))
            switch roles[edge.from] {
            case .task, .raw, .closure, .box: outgoing[edge.from, default: []].append(Int32(position))
            case .user, .library, .storage: break
            }
        }
        let waiting = running.sorted().filter { addFrames(of: $0) }
        join(waiting)
        for (block, task) in owner.sorted(by: { $0.key < $1.key }) {
            guard let number = family[task] else { continue }
            families[number].edges += outgoing[block] ?? []
        }
        for task in waiting {
            families[family[task]!].edges += (incoming[task] ?? []).filter { isOfWait(graph.edges[Int($0)]) }
        }
    }

    /// Those with a task among the members.
    func families(of instances: [[Int32]]) -> [Family] {
        guard !families.isEmpty else { return [] }
        return Set(instances.joined().compactMap { family[$0] }).sorted().map { families[$0] }
    }

    /// Blocks of its stack: each frame knows the one that called it, or its task.
    private mutating func addFrames(of task: Int32) -> Bool {
        let known = owner.count
        owner[task] = task
        var queue = [task]
        while let block = queue.popLast() {
            for next in edges(of: block).map(\.to) where roles[next] == .raw && owner[next] == nil {
                guard edges(of: next).contains(where: { owner[$0.to] == task }) else { continue }
                owner[next] = task
                queue.append(next)
            }
        }
        return owner.count > known + 1
    }

    /// The record of a task names those that wait for it: its parent, and the first of those that await its value, which is linked
    /// to the next.
    private mutating func join(_ waiting: [Int32]) {
        var neighbours: [Int32: [Int32]] = [:]
        let named = waiting.map { task in
            edges(of: task).filter { $0.to != task && owner[$0.to] == $0.to }
        }
        var awaits = Set(named.joined().lazy.filter { !$0.isQueueLink }.map(\.to))
        var open = Array(awaits)
        while let task = open.popLast() {
            for next in edges(of: task) where next.isQueueLink && owner[next.to] == next.to {
                if awaits.insert(next.to).inserted { open.append(next.to) }
            }
        }
        for (task, named) in zip(waiting, named) {
            for other in named.filter({ !$0.isQueueLink || awaits.contains(task) }).map(\.to) {
                neighbours[task, default: []].append(other)
                neighbours[other, default: []].append(task)
            }
        }
        for start in waiting where family[start] == nil {
            family[start] = families.count
            var tasks = [start]
            var next = 0
            while next < tasks.count {
                for other in neighbours[tasks[next]] ?? [] where family[other] == nil {
                    family[other] = families.count
                    tasks.append(other)
                }
                next += 1
            }
            families.append(Family(tasks: tasks.sorted()))
        }
    }

    /// A word that the record or a frame of one task has of another that it has nothing to do with: their memory is used again
    /// and again, and is not cleared.
    func isStray(_ edge: HeapGraph.Edge) -> Bool {
        guard edge.ownership == .conservative, let from = owner[edge.from], let to = owner[edge.to],
            let one = family[from], let other = family[to]
        else { return false }
        return one != other
    }

    static func isStream(_ type: String) -> Bool {
        [
            "Swift.AsyncStream<", "Swift.AsyncThrowingStream<", "_Concurrency.AsyncStream<",
            "_Concurrency.AsyncThrowingStream<",
        ]
        .contains(where: type.hasPrefix) && type.hasSuffix("._Storage")
    }

    /// The code that the task runs; 0: not known.
    func function(of task: Int32) -> UInt64 {
        for edge in edges(of: task) where roles[edge.to] == .closure || roles[edge.to] == .box {
            if let called = edges(of: edge.to).first(where: { $0.function != 0 }) { return called.function }
        }
        return 0
    }

    private func edges(of object: Int32) -> some Collection<HeapGraph.Edge> {
        (outgoing[object] ?? []).lazy.map { graph.edges[Int($0)] }
    }

    /// A word by which a continuation names its task: it owns nothing.
    private func isOfWait(_ edge: HeapGraph.Edge) -> Bool {
        guard edge.ownership == .conservative, owner[edge.from] == nil else { return false }
        switch roles[edge.from] {
        case .library, .storage: return true
        case .user, .box: return edge.kind != .raw
        case .closure, .task, .raw: return false
        }
    }

    /// What it waits for, as far as lost objects hold it: breadth first from the words that name it to who holds these.
    func source(of task: Int32) -> Finding.Wait? {
        var queue = (incoming[task] ?? []).filter { isOfWait(graph.edges[Int($0)]) }
        var seen: Set<Int32> = []
        var next = 0
        var isStream = false
        while next < queue.count, next < Self.searched {
            let edge = graph.edges[Int(queue[next])]
            next += 1
            guard owner[edge.from] == nil, seen.insert(edge.from).inserted else { continue }
            let type = roles.typeName(edge.from)
            switch roles[edge.from] {
            case .user:
                guard edge.kind == .field, !graph.label(of: edge).isEmpty else { continue }
                let name = FieldName.property(of: graph.label(of: edge))
                let property = Finding.Property(type: graph.typeName(edge.declaredType) ?? type, name: name)
                return isStream ? .stream(property) : .continuation(property)
            case .library, .storage, .box, .closure, .task, .raw:
                isStream = isStream || Self.isStream(type)
                queue += incoming[edge.from] ?? []
            }
        }
        return isStream ? .stream(nil) : nil
    }
}
