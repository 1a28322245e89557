import GameprofBasics
import GameprofTrace

/// From a heap snapshot to findings: components, sources, what hangs off, cycles, suspects, groups.
struct HeapAnalysis {
    let graph: HeapGraph
    let roles: ObjectRoles
    let names: FunctionNames
    let contexts: ClosureContexts
    private let snapshot: HeapSnapshot
    private let rootNames: RootNames
    private let histories: RetainHistoryBuilder?
    private let isKnown: (Finding) -> Bool
    private let frees: [StackID: StackID]
    private let fork: ForkRecord?
    private var symbolicator: any Symbolicating { rootNames.symbolicator }
    private var owners: EdgeOwners { EdgeOwners(graph: graph, roles: roles, contexts: contexts, names: names) }
    private var paths: PathBuilder {
        PathBuilder(graph: graph, roles: roles, contexts: contexts, names: names, owners: owners)
    }
    private var ways: RetainingPathsBuilder {
        RetainingPathsBuilder(
            paths: paths, rootPaths: RootPaths(graph: graph, isLibcs: rootNames.isLibcs), names: rootNames)
    }

    /// Looks up the closures' names; the cost grows linearly with objects and references. `histories`: what was recorded
    /// of single objects' counts. `fork`: where the process was made by one. `frees`: by stack that allocates, where the first of its objects was freed. `isKnown`:
    /// whether a finding is on the list of what libraries lose.
    init(
        snapshot: HeapSnapshot, types: TypeTable, rootNames: RootNames, histories: RetainHistoryBuilder? = nil,
        fork: ForkRecord? = nil, frees: [StackID: StackID] = [:], isKnown: @escaping (Finding) -> Bool = { _ in false }
    ) {
        (self.isKnown, self.frees, self.fork) = (isKnown, frees, fork)
        self.snapshot = snapshot
        self.rootNames = rootNames
        self.histories = histories
        let symbolicator = rootNames.symbolicator
        graph = HeapGraph(snapshot: snapshot, types: types)
        roles = ObjectRoles(graph)
        let addresses = graph.functionAddresses
        symbolicator.prepare(stacks: [], addresses: addresses)
        names = FunctionNames(addresses: addresses) { symbolicator.function(at: $0) }
        contexts = ClosureContexts(graph: graph, names: names)
    }

    /// What keeps the object at an address alive, in a line: the root, then the types on the way. Empty: not known.
    func holders(ofObjectAt address: UInt64) -> [String] {
        guard let index = snapshot.objects.firstIndex(where: { $0.address == address }) else { return [] }
        return ways.names(toNearestOf: [Int32(index)])
    }

    /// The shortest way from a root to the object at an address; nil: not known.
    func way(toObjectAt address: UInt64, instances: Int, bytes: UInt64) -> HeldBy? {
        snapshot.objects.firstIndex { $0.address == address }
            .flatMap { ways.way(to: Int32($0), instances: instances, bytes: bytes) }
    }

    /// Why objects live, for those that were asked for.
    func livingObjects() -> [AnalyzedObjects] {
        guard !snapshot.targets.isEmpty else { return [] }
        return LiveObjectsAnalysis(snapshot: snapshot, graph: graph, roles: roles, ways: ways).answers()
    }

    /// The findings, equal ones grouped, in no particular order. `isWanted`: by the objects that are the defect itself.
    func findings(where isWanted: ([HeapObject]) -> Bool = { _ in true }) -> [AnalyzedFinding] {
        let finder = LeakFinder(graph: graph, roles: roles)
        var found = finder.findings()
        selectCycles(&found, strong: finder.strong, components: finder.components)
        let ties = CycleTies(
            graph: graph, roles: roles, owners: owners, strong: finder.strong, components: finder.components)
        for position in found.indices where found[position].kind == .retainCycle {
            found[position].tiedBy = ties.tie(of: found[position].members)
        }
        if graph.objects.contains(where: { !$0.isLost }) {
            let living = ReachableCycles(graph: graph, roles: roles, ways: ways)
            var reachable = living.findings()
            selectCycles(&reachable, strong: living.strong, components: living.components)
            found += reachable.filter { finding in
                finding.isHeldByPointer || finding.cycle.contains { goesThroughCode(graph.edges[Int($0)]) }
            }
        }
        guard !found.isEmpty else { return [] }
        let stacks = Set(found.flatMap { $0.members.prefix(1).map { graph.object($0).stack } })
            .union(found.flatMap { finding in finding.cycle.map { graph.object(graph.edges[Int($0)].from).stack } })
        symbolicator.prepare(stacks: stacks, addresses: [])
        var grouping = Grouping(
            graph: graph, weights: SampleWeights(graph: graph, lost: snapshot.lost), roles: roles, paths: paths,
            proof: FixProof(graph: graph, finder: finder),
            knot: Knot(paths: paths, strong: finder.strong, components: finder.components), frees: frees,
            unreturned: UnreturnedFunctions(
                [snapshot.begin.stack, snapshot.begin.leftStack].map(symbolicator.stack),
                tasks: snapshot.begin.stack.isNone ? snapshot.tasks : nil, symbolicator: symbolicator),
            waiting: WaitingFunctions(snapshot.tasks, symbolicator: symbolicator), symbolicator: symbolicator,
            histories: histories, isWhole: snapshot.unread == nil, isKnown: isKnown)
        grouping.sort(&found)
        Dependents.attribute(&found, graph: graph, isStray: finder.waits.isStray)
        for position in found.indices where isLibrarys(found[position]) {
            found[position].keeps = found[position].dependents.first { roles[$0] == .user }
        }
        for finding in found where !isInherited(finding) && isWanted(finding.members.map { graph.object($0) }) {
            grouping.add(finding)
        }
        return grouping.findings()
    }

    /// Nothing of it was allocated after the fork that made the process: it is the parent's.
    private func isInherited(_ finding: HeapFinding) -> Bool {
        guard let fork else { return false }
        func isOwn(_ object: Int32) -> Bool { graph.object(object).stack.rawValue > fork.lastStack.rawValue }
        return !finding.members.contains(where: isOwn) && !finding.dependents.contains(where: isOwn)
    }

    /// Lost objects of a library alone, or memory that one allocated by itself.
    private func isLibrarys(_ finding: HeapFinding) -> Bool {
        if finding.kind == .rawLeak {
            let frames = symbolicator.stack(graph.object(finding.members[0]).stack).frames
            return !frames.isEmpty && !frames.contains { $0.origin == .user }
        }
        guard finding.kind != .reachableCycle, finding.members.contains(where: { roles[$0] == .library }) else {
            return false
        }
        return finding.cycle.isEmpty ? roles[finding.members[0]] == .library : finding.tiedBy == .libraryWithoutUser
    }

    private func goesThroughCode(_ edge: HeapGraph.Edge) -> Bool {
        edge.function != 0 || roles[edge.to] == .closure || roles[edge.to] == .task
    }

    private func selectCycles(_ found: inout [HeapFinding], strong: Adjacency, components: Components) {
        let isCycle = { (finding: HeapFinding) in finding.kind == .retainCycle || finding.kind == .reachableCycle }
        guard found.contains(where: isCycle) else { return }
        let colours = ColorRefinement(graph: graph, roles: roles, strong: strong, names: names)
        let weight = EdgeWeight(graph: graph, roles: roles, contexts: contexts, names: names, owners: owners)
        var selection = CycleSelection(
            graph: graph, strong: strong, components: components, colours: colours, weight: weight)
        for position in found.indices where isCycle(found[position]) {
            found[position].cycle = selection.cycle(in: found[position].members)
        }
    }
}
