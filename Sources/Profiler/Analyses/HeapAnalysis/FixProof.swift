import GameprofTraceFile

/// Frees lost objects on the graph as the runtime would: an object goes when no reference of an object that stays is left,
/// and no retain that references do not account for; its own references go with it.
struct FixProof {
    /// How many changes a fix may need.
    static let most = 5
    /// References that a report's searches look at in all: a second or two.
    static let bound = 200_000_000

    private let graph: HeapGraph
    private let components: Components
    private let holds: Adjacency
    /// How many references of lost objects hold an object.
    private var held: [UInt32]
    /// Its retains beyond those, and what living objects hold it.
    private var unexplained: [UInt32]
    /// The change in the source that removes each reference; −1: none that the user can make.
    private var change: [Int32]
    private var budget: Int
    private var left: [UInt32]
    private var mark: [Int32]
    private var seen: [Int32]
    private var round: Int32 = 0
    private var cameBy: [Int32] = []
    /// A cycle that each change was found on.
    private(set) var examples: [Int32: [Int32]] = [:]

    init(graph: HeapGraph, finder: LeakFinder, bound: Int = Self.bound) {
        self.graph = graph
        components = finder.components
        budget = bound
        holds = Adjacency(graph: graph) { edge in
            guard graph.object(edge.from).isLost, graph.object(edge.to).isLost else { return false }
            if edge.ownership == .unowned { return graph.object(edge.to).flags.contains(.deinited) }
            return finder.mayHold(edge) && !finder.roles.isTaskItself(edge)
        }
        held = [UInt32](repeating: 0, count: graph.objects.count)
        for target in holds.targets { held[Int(target)] += 1 }
        unexplained = held.map { _ in 0 }
        var known = unexplained
        for edge in graph.edges where edge.ownership.holds {
            known[Int(edge.to)] += 1
            if edge.ownership == .strong, !graph.object(edge.from).isLost { unexplained[Int(edge.to)] += 1 }
        }
        for (index, object) in graph.objects.enumerated()
        where object.flags.contains(.swift) && !object.flags.contains(.countUnsure) && object.strong > known[index] {
            unexplained[index].add(clamping: object.strong - known[index])
        }
        left = unexplained
        mark = graph.objects.map { _ in 0 }
        (cameBy, seen) = (mark, mark)
        change = [Int32](repeating: -1, count: graph.edges.count)
    }

    /// Asks `changeOf` for every reference that holds two of the members together. Linear in them.
    mutating func begin(_ instances: [[Int32]], changeOf: (HeapGraph.Edge) -> Int32) {
        examples = [:]
        for member in instances.joined() {
            for slot in holds.slots(of: Int(member)) where isInside(slot, of: Int(member)) {
                let edge = Int(holds.edges[slot])
                change[edge] = changeOf(graph.edges[edge])
            }
        }
    }

    /// The objects that are freed when the changes are made, of those given: members of instances with all that these
    /// keep. Linear in the objects and their references.
    mutating func freed(among objects: [Int32], by changes: [Int32]) -> [Int32] {
        round += 1
        for object in objects {
            mark[Int(object)] = round
            left[Int(object)] = unexplained[Int(object)]
            left[Int(object)].add(clamping: held[Int(object)])
        }
        for object in objects {
            for slot in holds.slots(of: Int(object)) where isCut(slot, by: changes) {
                left[Int(holds.targets[slot])] -= 1
            }
        }
        var queue = objects.filter { left[Int($0)] == 0 }
        var next = 0
        while next < queue.count {
            for slot in holds.slots(of: Int(queue[next])) where !isCut(slot, by: changes) {
                let target = holds.targets[slot]
                guard mark[Int(target)] == round else { continue }
                left[Int(target)] -= 1
                if left[Int(target)] == 0 { queue.append(target) }
            }
            next += 1
        }
        return queue
    }

    /// No further cycle is looked for: nothing more is proved.
    var isSpent: Bool { budget <= 0 }

    /// The first instance in which the changes leave a cycle; nil: none, or the bound was met.
    mutating func knot(in instances: [[Int32]], after changes: [Int32]) -> Int? {
        instances.indices.first { !isSpent && !cycle(in: instances[$0], without: changes).isEmpty }
    }

    /// The smallest sets of changes that leave no cycle in any instance; none: `most` are not enough, a cycle has none,
    /// or the bound was met. Each meets every cycle: only changes on a cycle that is left are tried.
    mutating func smallest(
        untying instances: [[Int32]], first: [Int32], isAllowed: (Int32) -> Bool
    ) -> [[Int32]] {
        var tried: Set<[Int32]> = [[]]
        for size in 0...Self.most {
            var solved: [[Int32]] = []
            var next: Set<[Int32]> = []
            for changes in tried.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                var cycle = size == 0 && first.contains(where: isUsers) ? first : []
                for members in instances where cycle.isEmpty {
                    guard !isSpent else { return [] }
                    cycle = self.cycle(in: members, without: changes)
                }
                if cycle.isEmpty { solved.append(changes) }
                for edge in cycle {
                    let change = change[Int(edge)]
                    guard change > SourceChanges.librarys, isAllowed(change) else { continue }
                    if examples[change] == nil { examples[change] = cycle }
                    next.insert((changes + [change]).sorted())
                }
            }
            if !solved.isEmpty { return solved }
            tried = next
        }
        return []
    }

    /// The change of each reference, where it has one.
    func changeOf(_ edge: Int32) -> Int32 { change[Int(edge)] }

    /// Whether the references that the change removes are all of one property: to clear that does the same. Linear in the
    /// members and their references.
    func isOneProperty(_ change: Int32, in instances: [[Int32]]) -> Bool {
        let removed = instances.joined().lazy.flatMap { holds.slots(of: Int($0)) }.map { Int(holds.edges[$0]) }
            .filter { self.change[$0] == change }.map { graph.edges[$0] }
        guard let first = removed.first(where: { _ in true }) else { return false }
        return removed.allSatisfy {
            $0.kind == .field && ($0.label, $0.declaredType) == (first.label, first.declaredType)
        }
    }

    private func isInside(_ slot: Int, of vertex: Int) -> Bool {
        components.of[Int(holds.targets[slot])] == components.of[vertex]
    }

    private func isCut(_ slot: Int, by changes: [Int32]) -> Bool {
        let change = change[Int(holds.edges[slot])]
        return change >= 0 && changes.contains(change)
    }

    /// The references of a cycle that is left; empty: none is but those that only a library's references make, which a
    /// library takes apart itself. Linear in the members and their references where there are none of these.
    private mutating func cycle(in members: [Int32], without changes: [Int32]) -> [Int32] {
        round += 2
        let (open, done) = (round - 1, round)
        var path: [(vertex: Int, slot: Int)] = []
        var hasLibrarys = false
        for start in members where mark[Int(start)] < open {
            mark[Int(start)] = open
            path.append((Int(start), holds.slots(of: Int(start)).lowerBound))
            while let (vertex, slot) = path.last {
                budget -= 1
                guard slot < holds.slots(of: vertex).upperBound else {
                    mark[vertex] = done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].slot += 1
                guard isInside(slot, of: vertex), !isCut(slot, by: changes) else { continue }
                let target = Int(holds.targets[slot])
                if mark[target] == open {
                    guard !isSpent else { return [] }
                    let found = shortest(closing: holds.edges[slot], without: changes)
                    if found.contains(where: isUsers) { return found }
                    hasLibrarys = true
                }
                guard mark[target] < open else { continue }
                mark[target] = open
                path.append((target, holds.slots(of: target).lowerBound))
            }
        }
        guard hasLibrarys else { return [] }
        for member in members {
            for slot in holds.slots(of: Int(member)) where isUsers(holds.edges[slot]) && !isSpent {
                guard isInside(slot, of: Int(member)), !isCut(slot, by: changes) else { continue }
                let found = shortest(closing: holds.edges[slot], without: changes)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    private func isUsers(_ edge: Int32) -> Bool { change[Int(edge)] > SourceChanges.librarys }

    /// Breadth first from the target of `edge` back to its source; empty: no way leads there.
    private mutating func shortest(closing edge: Int32, without changes: [Int32]) -> [Int32] {
        let (start, goal) = (graph.edges[Int(edge)].to, graph.edges[Int(edge)].from)
        round += 1
        seen[Int(start)] = round
        var queue = [start]
        var next = 0
        while next < queue.count, seen[Int(goal)] != round {
            let vertex = Int(queue[next])
            for slot in holds.slots(of: vertex) where isInside(slot, of: vertex) && !isCut(slot, by: changes) {
                let target = holds.targets[slot]
                budget -= 1
                guard seen[Int(target)] != round else { continue }
                seen[Int(target)] = round
                cameBy[Int(target)] = holds.edges[slot]
                queue.append(target)
            }
            next += 1
        }
        guard seen[Int(goal)] == round else { return [] }
        var result = [edge]
        var vertex = goal
        while vertex != start {
            result.append(cameBy[Int(vertex)])
            vertex = graph.edges[Int(cameBy[Int(vertex)])].from
        }
        return result.reversed()
    }
}
