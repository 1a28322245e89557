import GameprofBasics
import GameprofTrace

/// Collections behind a variable of a type (`static let shared`) that retain much of the heap and grew to the end of the
/// run: caches without a bound, lists that nothing is taken out of.
struct AccumulationPoints {
    struct Point {
        /// What the collection's elements are: the name that retains the most bytes among them.
        var type: String
        /// The elements, and those of them that are of `type`.
        var members: [UInt32]
        var bytes: UInt64
    }

    /// Of the heap, for what grew.
    private static let least = 0.1
    /// A child that retains less of its parent is no continuation of it.
    private static let continues = 0.7
    private static let fewestElements = 10

    private let ownership: HeapOwnership
    private let births: StackBirths
    private let rootNames: RootNames

    /// Stacks whose blocks became more in each part of the run.
    private let grown: Set<StackID>

    init(_ ownership: HeapOwnership, births: StackBirths, grown: Set<StackID>, rootNames: RootNames) {
        self.ownership = ownership
        self.births = births
        self.grown = grown
        self.rootNames = rootNames
    }

    /// The points, the most bytes first.
    func points() -> [Point] {
        let heap = ownership.retained[Int(ownership.entry)]
        let large = ownership.tree.children(of: ownership.entry).filter {
            Double(ownership.retained[Int($0)]) > Double(heap) * Self.least && isBehindTypesVariable($0)
        }
        return large.compactMap { point(below: $0, least: Double(heap) * Self.least) }.sorted { $0.bytes > $1.bytes }
    }

    /// `Cache.shared`: what a program keeps for as long as it runs. A variable of a file or of a function holds what the
    /// program works on.
    private func isBehindTypesVariable(_ block: UInt32) -> Bool {
        guard let root = ownership.roots[block], root.kind == .global else { return false }
        guard let variable = rootNames.symbolicator.variable(at: root.address) else { return false }
        return variable.origin == .user && NameTokens.member(of: variable.name) != nil
    }

    private func point(below top: UInt32, least: Double) -> Point? {
        var block = top
        while let child = ownership.tree.children(of: block).max(by: { retained($0) < retained($1) }),
            Double(retained(child)) >= Double(retained(block)) * Self.continues
        {
            block = child
        }
        guard Double(retained(block)) > least, ownership.names.kind(block) == .storage else { return nil }
        var groups: [Int32: [UInt32]] = [:]
        // Closures that a list keeps are registered there: those of abandoned objects stand by themselves.
        for child in ownership.tree.children(of: block) where ownership.names.kind(child) != .context {
            groups[ownership.names.number(child), default: []].append(child)
        }
        let sums = groups.mapValues { $0.reduce(UInt64(0)) { $0 &+ retained($1) } }
        guard let name = sums.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key, let members = groups[name],
            members.count >= Self.fewestElements
        else { return nil }
        let stacks = Set(members.map { ownership.heap.stacks[Int($0)] })
        guard births.accumulate(stacks, rest: 1), births.cameWithWork(stacks) || !grown.isDisjoint(with: stacks) else {
            return nil
        }
        return Point(type: ownership.names.text(name), members: members.sorted(), bytes: retained(block))
    }

    private func retained(_ block: UInt32) -> UInt64 { ownership.retained[Int(block)] }
}
