import GameprofBasics
import GameprofTrace

/// Objects of the program that live only through registrations that they own or made themselves: an observer's block, a
/// timer, the handler of a dispatch source, a task, a closure in a list of handlers. Nothing else refers to them, so that
/// nothing but their own code can end the registration. Work items that were cancelled are registrations of everybody's.
struct AbandonedObjects {
    /// Equal objects that are held alike.
    struct Group {
        var type: String
        var members: [UInt32]
        /// A closure through which the first of them is held; 0: not known.
        var closure: UInt64
        /// Who made the cancelled work item that holds the first of them; nil: nobody did.
        var canceller: SymbolicatedFrame?
        /// Code of closures through which the first of them holds itself besides.
        var ownClosures: Set<UInt64> = []
    }

    /// How a block outside refers to an object.
    private struct Registration {
        /// The blocks that lead to it, the nearest first: closure contexts, a library's object, memory or a task.
        var sources: [UInt32]
        /// Code of the closures among them, where it is known.
        var functions: [UInt64]
    }

    /// Fewer equal objects are how a program works that has one service, or one for each side.
    private static let fewest = 3
    private static let reachLimit = 4_000
    private static let boxLimit = 4

    private let ownership: HeapOwnership
    private var incoming: IncomingReferences { ownership.incoming }
    private let births: StackBirths
    private let symbolicator: any Symbolicating
    private let types: TypeTable

    init(_ ownership: HeapOwnership, births: StackBirths, types: TypeTable, symbolicator: any Symbolicating) {
        self.ownership = ownership
        self.types = types
        self.births = births
        self.symbolicator = symbolicator
    }

    /// The groups, in the order of their types.
    func groups() -> [Group] {
        var found: [Int32: [(block: UInt32, registrations: [Registration])]] = [:]
        for block in ownership.perhapsAbandoned {
            guard let registrations = registrations(of: block) else { continue }
            found[ownership.names.number(block), default: []].append((block, registrations))
        }
        found = found.filter { $0.value.count >= Self.fewest }
        prepare(found.values.flatMap { $0.flatMap { $0.registrations } })
        return found.compactMap { name, objects in
            let type = ownership.names.text(name)
            let ancestry = types.ancestry(ownership.heap.types[Int(objects[0].block)])
            let classes = Set((ancestry + [type]).filter(TypeName.isUsers).map(TypeName.bare))
            let own = objects.filter { object in
                object.registrations.allSatisfy { isOwn($0, of: object.block, classes) }
            }
            let members = own.map { $0.block }.sorted()
            guard members.count >= Self.fewest,
                births.accumulate(Set(members.map { ownership.heap.stacks[Int($0)] }), rest: 3)
            else { return nil }
            return Group(
                type: type, members: members, closure: own[0].registrations.flatMap(\.functions).first ?? 0,
                canceller: own.allSatisfy { $0.registrations.allSatisfy(isCancelled) }
                    ? own[0].registrations.flatMap(\.sources).first(where: isCancelled).flatMap(maker) : nil,
                ownClosures: ownClosures(of: members[0]))
        }.sorted { $0.type < $1.type }
    }

    // MARK: - What refers to an object

    /// Living objects of the program's to which no reference at first sight is another's than a registration's. One pass over all
    /// references, which are not sorted by what they name: mostly nothing is left.
    static func candidates(_ ownership: HeapOwnership) -> [UInt32] {
        let (names, tree) = (ownership.names, ownership.tree)
        let hasFunction = ownership.heap.labels.map { $0.function != 0 }
        var isHeld = BitSet(count: Int(ownership.entry) + 1)
        ownership.graph.withEdges { edges in
            for source in 0...edges.entry {
                let isRoot = source == edges.entry
                guard isRoot || names.kind(UInt32(source)).isPlainHolder else { continue }
                for reference in edges.references(of: source) where edges.isHeld(reference) {
                    let target = edges.target(reference)
                    if reference + 16 < edges.targets.count { tree.fetch(edges.targets[reference + 16]) }
                    guard !isHeld.contains(target) else { continue }
                    let isOthers =
                        isRoot
                        || !hasFunction[Int(ownership.heap.label(of: reference))]
                            && !tree.dominates(UInt32(target), UInt32(source))
                    if isOthers { isHeld.insert(target) }
                }
            }
        }
        return ownership.living.filter { names.kind($0) == .user && !isHeld.contains(Int($0)) }
    }

    /// The registrations through which alone the object lives; nil: something else holds it.
    private func registrations(of block: UInt32) -> [Registration]? {
        var result: [Registration] = []
        for (source, reference) in incoming[block] {
            if source != ownership.entry, ownership.tree.dominates(block, source) { continue }
            guard let found = registration(source, reference, boxes: 0) else { return nil }
            result.append(found)
        }
        return result.isEmpty ? nil : result
    }

    /// What the reference is if it is a registration's, else nil.
    private func registration(_ source: UInt32, _ reference: Int, boxes: Int) -> Registration? {
        guard source != ownership.entry, let label = ownership.label(reference) else { return nil }
        let functions = label.function == 0 ? [] : [label.function]
        switch ownership.names.kind(source) {
        // A closure with one capture has no context of its own: the object stands in its place.
        case .user, .library, .storage:
            return functions.isEmpty ? nil : Registration(sources: [source], functions: functions)
        case .raw, .task: return Registration(sources: [source], functions: functions)
        case .context:
            guard !isPassing(source), var found = holder(ofContext: source, boxes: boxes) else { return nil }
            found.sources.insert(source, at: 0)
            found.functions.insert(contentsOf: functions, at: 0)
            return found
        }
    }

    /// What the object leads to keeps it, when its registrations have ended, too.
    private func ownClosures(of block: UInt32) -> Set<UInt64> {
        func isOwn(_ source: UInt32) -> Bool {
            source != ownership.entry && ownership.tree.dominates(block, source)
        }
        let held = incoming[block].filter { isOwn($0.source) }
        let contexts = held.map(\.source).filter { ownership.names.kind($0) == .context }
        let references = held + contexts.flatMap { incoming[$0].filter { isOwn($0.source) } }
        return Set(references.compactMap { ownership.label($0.reference)?.function }).subtracting([0])
    }

    /// A context is a closure's if it comes with a function, or if memory of C or a task has it; otherwise it is the box of
    /// a variable or a value, which belongs to what holds it.
    private func holder(ofContext context: UInt32, boxes: Int) -> Registration? {
        var result = Registration(sources: [], functions: [])
        for (source, reference) in incoming[context] {
            if let function = ownership.label(reference)?.function, function != 0 {
                result.functions.append(function)
            } else if boxes < Self.boxLimit, let found = registration(source, reference, boxes: boxes + 1) {
                result.sources += found.sources
                result.functions += found.functions
            } else {
                return nil
            }
        }
        return result.sources.isEmpty && result.functions.isEmpty ? nil : result
    }

    /// A root names the context: a variable of a function, or of the program, has the closure.
    private func isPassing(_ context: UInt32) -> Bool { incoming[context].contains { $0.source == ownership.entry } }

    // MARK: - Whose the registration is

    private func prepare(_ registrations: [Registration]) {
        symbolicator.prepare(
            stacks: Set(registrations.flatMap(\.sources).map { ownership.heap.stacks[Int($0)] }),
            addresses: Set(registrations.flatMap(\.functions)))
    }

    private func isOwn(_ registration: Registration, of block: UInt32, _ classes: Set<String>) -> Bool {
        registration.functions.contains { isMember(symbolicator.function(at: $0)?.function, of: classes) }
            || registration.sources.contains { isMember(maker(of: $0)?.function, of: classes) }
            || registration.sources.contains { reaches($0, from: block) } || isCancelled(registration)
    }

    private func isMember(_ function: String?, of classes: Set<String>) -> Bool {
        function.flatMap(FunctionName.enclosingType).map(classes.contains) ?? false
    }

    /// The program's function that allocated the block.
    private func maker(of block: UInt32) -> SymbolicatedFrame? {
        let frames = symbolicator.stack(ownership.heap.stacks[Int(block)]).frames
        return frames.first { $0.origin == .user && !$0.isRuntimeSupport }
    }

    private func isCancelled(_ registration: Registration) -> Bool {
        let blocks = registration.sources.filter { ownership.names.kind($0) == .raw }
        return !blocks.isEmpty && blocks.allSatisfy(isCancelled)
    }

    /// The block of a closure that belongs to cancelled work items alone, which only libdispatch keeps.
    private func isCancelled(_ closure: UInt32) -> Bool {
        let items = Array(incoming[closure])
        return !items.isEmpty
            && items.allSatisfy { item, reference in
                ownership.label(reference)?.isCancelledWorkItem == true
                    && incoming[item].allSatisfy {
                        $0.source != ownership.entry && ownership.names.kind($0.source) == .raw
                    }
            }
    }

    /// Whether the object has the registration: references lead there past no other object of the program.
    private func reaches(_ source: UInt32, from block: UInt32) -> Bool {
        var reached: Set<UInt32> = [block]
        var queue = [block]
        var next = 0
        while next < queue.count, queue.count < Self.reachLimit {
            let node = queue[next]
            next += 1
            for reference in ownership.graph.references(of: node) {
                guard let target = ownership.graph.target(reference) else { continue }
                if target == source { return true }
                let isOthers =
                    ownership.names.kind(target) == .user && !ownership.tree.dominates(block, target)
                if !isOthers, reached.insert(target).inserted { queue.append(target) }
            }
        }
        return false
    }
}

extension LiveHeapNames.Kind {
    /// What it refers to without a function is no registration.
    fileprivate var isPlainHolder: Bool { self == .user || self == .library || self == .storage }
}
