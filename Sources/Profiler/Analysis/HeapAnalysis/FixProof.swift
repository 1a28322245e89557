import GameprofBasics
import GameprofTrace

/// Frees lost objects on the graph as the runtime would: an object goes when no reference of an object that stays is left,
/// and no retain that references do not account for; its own references go with it.
struct FixProof {
    /// How many changes a fix may need.
    static let most = 5
    /// Tasks that are looked at for what they wait for.
    private static let named = 64
    /// References that a report's searches look at in all: a second or two.
    static let bound = 200_000_000

    private let graph: HeapGraph
    private let roles: ObjectRoles
    private let components: Components
    private let holds: Adjacency
    let waits: TaskWaits
    /// How many references of lost objects hold an object.
    private var held: [UInt32]
    /// Its retains beyond those, and what living objects hold it.
    private var unexplained: [UInt32]
    /// The change in the source that removes each reference; −1: none that the user can make.
    private var change: [Int32]
    private var ends: [Int32: Int32] = [:]
    private var budget: Int
    private static let keepersBound = 10_000_000
    private var left: [UInt32]
    private var mark: [Int32]
    private var seen: [Int32]
    private var round: Int32 = 0
    private var cameBy: [Int32] = []
    /// A cycle that each change was found on.
    private(set) var examples: [Int32: [Int32]] = [:]

    init(graph: HeapGraph, finder: LeakFinder, bound: Int = Self.bound) {
        (self.graph, roles) = (graph, finder.roles)
        components = finder.components
        waits = finder.waits
        budget = bound
        holds = Adjacency(graph: graph) { edge in
            guard graph.object(edge.from).isLost, graph.object(edge.to).isLost else { return false }
            if edge.ownership == .unowned { return graph.object(edge.to).flags.contains(.deinited) }
            // Its deinit let go of what its words still name.
            guard !graph.object(edge.from).flags.contains(.deinited) else { return false }
            return finder.mayHold(edge) && !finder.roles.isTaskItself(edge)
        }
        held = [UInt32](repeating: 0, count: graph.objects.count)
        for target in holds.targets { held[Int(target)] += 1 }
        unexplained = held.map { _ in 0 }
        var known = unexplained
        for edge in graph.edges where edge.ownership.holds && !graph.object(edge.from).flags.contains(.deinited) {
            known[Int(edge.to)] += 1
            if edge.ownership == .strong, !graph.object(edge.from).isLost { unexplained[Int(edge.to)] += 1 }
        }
        for (index, object) in graph.objects.enumerated()
        where object.flags.contains(.swift) && !object.flags.contains(.countUnsure) && object.strong > known[index] {
            unexplained[index].add(clamping: object.strong - known[index])
            if waits.running.contains(Int32(index)) { unexplained[index] -= 1 }
        }
        left = unexplained
        mark = graph.objects.map { _ in 0 }
        (cameBy, seen) = (mark, mark)
        change = [Int32](repeating: -1, count: graph.edges.count)
    }

    /// Asks `changeOf` for every reference that holds two of the members together, `endOf` for the tasks among them that wait.
    /// Linear in them.
    mutating func begin(
        _ instances: [[Int32]], endOf: (TaskWaits.Family) -> Int32 = { _ in -1 }, changeOf: (HeapGraph.Edge) -> Int32
    ) {
        for member in instances.joined() {
            for slot in holds.slots(of: Int(member)) where isInside(slot, of: Int(member)) {
                let edge = Int(holds.edges[slot])
                change[edge] = changeOf(graph.edges[edge])
            }
        }
        for family in waits.families(of: instances) {
            let number = endOf(family)
            for task in family.tasks { ends[task] = number }
            for edge in family.edges { change[Int(edge)] = number }
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
            if isWaiting(object, after: changes) { left[Int(object)].add(clamping: 1) }
        }
        for object in objects {
            // A frame of a task that ends may hold what belongs to another row.
            for slot in holds.slots(of: Int(object)) where isCut(slot, by: changes) {
                let target = Int(holds.targets[slot])
                if mark[target] == round { left[target] -= 1 }
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

    /// Changes of references that alone hold their target, where no collection of the target's leads back to who refers to
    /// it: made weak, they would lose it while it is needed. Each may look at all that lies behind its target, within a bound
    /// beside that of the proofs.
    mutating func keepers(among instances: [[Int32]]) -> Set<Int32> {
        let proofs = budget
        budget = min(budget, Self.keepersBound)
        defer { budget = proofs }
        var result: Set<Int32> = []
        for member in instances.joined() where roles[member] == .user {
            for slot in holds.slots(of: Int(member)) {
                let (target, number) = (holds.targets[slot], change[Int(holds.edges[slot])])
                guard number > SourceChanges.librarys, !result.contains(number), roles[target] == .user,
                    held[Int(target)] == 1, unexplained[Int(target)] == 0,
                    !collects(target, member, without: number)
                else { continue }
                result.insert(number)
            }
        }
        return result
    }

    /// Whether a collection of the holder's leads to the object, or the bound was met.
    private mutating func collects(_ holder: Int32, _ object: Int32, without number: Int32) -> Bool {
        round += 1
        mark[Int(holder)] = round
        var queue = holds.slots(of: Int(holder)).map { holds.targets[$0] }.filter { roles[$0] == .storage }
        for target in queue { mark[Int(target)] = round }
        while let next = queue.popLast() {
            budget -= 1
            guard next != object, budget > 0 else { return true }
            for slot in holds.slots(of: Int(next)) where !isCut(slot, by: [number]) {
                let target = holds.targets[slot]
                if mark[Int(target)] != round {
                    mark[Int(target)] = round
                    queue.append(target)
                }
            }
        }
        return false
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
        let required = required(by: instances)
        examples = [:]
        for change in required { examples[change] = example(ending: change, in: instances, first: first) }
        var tried: Set<[Int32]> = [required]
        for size in 0...Self.most {
            var solved: [[Int32]] = []
            var next: Set<[Int32]> = []
            for changes in tried.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let isOpen = first.contains(where: isUsers) && !first.contains { required.contains(change[Int($0)]) }
                var cycle = size == 0 && isOpen ? first : []
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

    /// The changes without which a task among the members never ends.
    func required(by instances: [[Int32]]) -> [Int32] {
        Set(waits.families(of: instances).flatMap(\.tasks).compactMap { ends[$0] }).sorted()
    }

    /// All objects that are freed when the changes are made, whatever else is lost. Linear in the lost objects.
    mutating func freed(by changes: [Int32]) -> [Int32] {
        budget -= graph.objects.count
        return freed(
            among: graph.objects.indices.lazy.map { Int32($0) }.filter { graph.object($0).isLost }, by: changes)
    }

    /// By chosen group: the groups that hold something of it, themselves or by others. Linear in all groups, for each chosen one.
    func holders(of groups: [[Int32]], for chosen: some Collection<Int>) -> [Int: Set<Int>] {
        var group: [Int32: Int] = [:]
        for (number, objects) in groups.enumerated() { for object in objects { group[object] = number } }
        var result = groups.map { _ in Set<Int>() }
        for (number, objects) in groups.enumerated() {
            for slot in objects.lazy.flatMap({ holds.slots(of: Int($0)) }) {
                if let other = group[holds.targets[slot]], other != number { result[other].insert(number) }
            }
        }
        let found = chosen.map { start in
            var found: Set<Int> = []
            var queue = [start]
            while let next = queue.popLast() { queue += result[next].filter { found.insert($0).inserted } }
            return (start, found.subtracting([start]))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// A cycle through a task that the change ends, with an object of the user's where there is one.
    private mutating func example(ending number: Int32, in instances: [[Int32]], first: [Int32]) -> [Int32] {
        if first.contains(where: { change[Int($0)] == number }) { return first }
        var result: [Int32] = []
        for task in instances.joined() where ends[task] == number {
            for slot in holds.slots(of: Int(task)) where isInside(slot, of: Int(task)) {
                let found = shortest(closing: holds.edges[slot], without: [])
                if found.contains(where: { roles[graph.edges[Int($0)].from] == .user }) { return found }
                if result.isEmpty { result = found }
            }
            if !result.isEmpty { return result }
        }
        return result
    }

    /// What the tasks wait for that the change ends, and their code; nil: it ends none. No source where one is not known: of a
    /// family one task may wait for the others.
    func wait(endedBy number: Int32) -> (sources: [Finding.Wait], function: UInt64)? {
        let tasks = ends.filter { $0.value == number }.keys.sorted()
        guard !tasks.isEmpty else { return nil }
        var sources: [Finding.Wait] = []
        var unknown: [Int: Int] = [:]
        for task in tasks.prefix(Self.named) {
            guard let source = waits.source(of: task) else {
                unknown[waits.family[task] ?? -1, default: 0] += 1
                continue
            }
            if !sources.contains(source) { sources.append(source) }
        }
        let isKnown =
            tasks.count <= Self.named
            && unknown.allSatisfy { family, count in
                family >= 0 && waits.families[family].tasks.count > 1 && count == 1
            }
        if !isKnown { sources = [] }
        return (sources, tasks.lazy.map(waits.function).first { $0 != 0 } ?? 0)
    }

    private func isWaiting(_ object: Int32, after changes: [Int32]) -> Bool {
        guard !waits.running.isEmpty, waits.running.contains(object) else { return false }
        return ends[object].map { !changes.contains($0) } ?? true
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
