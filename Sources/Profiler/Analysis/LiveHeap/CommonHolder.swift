import GameprofBasics
import GameprofTrace

/// What holds the living blocks of a stack: the nearest of the user's objects that retains most of them, and the field of
/// it that leads there.
struct CommonHolder {
    struct Name: Hashable {
        /// A type, or a variable.
        var holder: String
        var field: String?
    }

    private static let most = 0.7
    /// Blocks between an element of a collection and a part of it.
    private static let elementDepth = 8
    /// Blocks whose nearest holders are looked at.
    private static let asked = 1_024

    private let ownership: HeapOwnership
    private let rootNames: RootNames
    /// In the order of the dominator tree, so that what a block retains stands together.
    private let blocks: [StackID: [UInt32]]

    init(_ ownership: HeapOwnership, of stacks: Set<StackID>, rootNames: RootNames) {
        self.ownership = ownership
        self.rootNames = rootNames
        let places = Dictionary(uniqueKeysWithValues: zip(stacks, 0...))
        var lists = [[UInt32]](repeating: [], count: places.count)
        // Neighbours were mostly made alike.
        var last: (stack: StackID, place: Int?)?
        for block in ownership.living {
            let stack = ownership.heap.stacks[Int(block)]
            if last?.stack != stack { last = (stack, places[stack]) }
            if let place = last?.place { lists[place].append(block) }
        }
        blocks = places.mapValues { lists[$0] }.filter { !$0.value.isEmpty }
    }

    /// Living blocks of the stack.
    func count(of stack: StackID) -> Int { blocks[stack]?.count ?? 0 }

    /// Nil: nothing but roots holds most of them, or nothing is known of the root.
    func name(of stack: StackID) -> Name? {
        guard let members = blocks[stack], !members.isEmpty else { return nil }
        let least = Int((Double(members.count) * Self.most).rounded(.up))
        // A block that retains most of them retains the one in the middle.
        var node = members[members.count / 2]
        while node != ownership.entry, retained(by: node, of: members) < least { node = above(node) }
        guard node != ownership.entry else { return nil }
        if !isPart(node, of: stack), ownership.names.kind(node) == .user {
            return Name(holder: text(node), field: field(of: node, to: members))
        }
        return commonField(of: members, made: stack) ?? name(above: node, of: stack)
    }

    /// The field that holds them in objects that do not grow in number themselves, of one declaration: storages of a property
    /// wrapper, shards of a cache. Nil: there is no such field.
    private func commonField(of members: [UInt32], made stack: StackID) -> Name? {
        var counts: [Name: Int] = [:]
        let step = max(1, members.count / Self.asked)
        let asked = stride(from: 0, to: members.count, by: step)
        for index in asked {
            guard let name = field(holding: members[index], made: stack) else { continue }
            counts[name, default: 0] += 1
        }
        let most = counts.max { ($0.value, $1.key.holder) < ($1.value, $0.key.holder) }
        return most.flatMap { Double($0.value) >= Double(asked.underestimatedCount) * Self.most ? $0.key : nil }
    }

    private func field(holding block: UInt32, made stack: StackID) -> Name? {
        var (below, node) = (block, above(block))
        for _ in 0..<Self.elementDepth where node != ownership.entry {
            let grows = blocks[ownership.heap.stacks[Int(node)]] != nil
            if !grows, !isPart(node, of: stack), ownership.names.kind(node) == .user {
                guard ownership.names.isBuffer(below), let field = field(of: node, to: below) else { return nil }
                return Name(holder: TypeName.declared(text(node)), field: field)
            }
            (below, node) = (node, above(node))
        }
        return nil
    }

    /// The nearest of the user's objects above a collection; a library's, or a root, if there is none.
    private func name(above top: UInt32, of stack: StackID) -> Name? {
        var (below, node) = (top, top)
        var librarys: Name?
        while node != ownership.entry {
            if !isPart(node, of: stack) {
                if ownership.names.kind(node) == .user {
                    return Name(holder: text(node), field: below == node ? nil : field(of: node, to: below))
                }
                librarys = librarys ?? Name(holder: text(node), field: below == node ? nil : field(of: node, to: below))
            }
            (below, node) = (node, above(node))
        }
        guard let root = ownership.roots[below] else { return sharedOwner(of: below) ?? librarys }
        let other = root.kind == .stack || root.kind == .register ? nil : Name(holder: rootNames.root(root).name)
        return variable(root) ?? sharedOwner(of: below) ?? librarys ?? other
    }

    /// Of what a library makes for the user's object and several of its parts and tasks share, as an AsyncStream's storage is:
    /// the field of the user's objects, all of one type, that leads to it. Of several the one that is declared first.
    private func sharedOwner(of top: UInt32) -> Name? {
        var (seen, open): (Set<UInt32>, [UInt32]) = ([top], [top])
        var fields: [(source: UInt32, reference: Int)] = []
        for _ in 0..<Self.elementDepth where !open.isEmpty {
            let below = open
            open = []
            for (source, reference) in below.lazy.flatMap({ ownership.incoming[$0] }) where source != ownership.entry {
                if ownership.names.kind(source) == .user {
                    fields.append((source, reference))
                } else if ownership.names.kind(source) != .task, seen.insert(source).inserted {
                    open.append(source)
                }
            }
        }
        guard let first = fields.min(by: { $0.reference < $1.reference }),
            Set(fields.map { ownership.names.number($0.source) }).count == 1, let path = label(first.reference)
        else { return nil }
        return Name(holder: text(first.source), field: FieldName.first(path))
    }

    /// Nil: it is none of the user's.
    private func variable(_ root: HeapRoot) -> Name? {
        if root.kind == .stack {
            guard root.pc > 0, rootNames.symbolicator.function(at: root.pc - 1)?.origin == .user else { return nil }
            return Name(holder: rootNames.root(root).name)
        }
        guard root.kind == .global, let variable = rootNames.symbolicator.variable(at: root.address),
            variable.origin == .user, !variable.name.isEmpty
        else { return nil }
        // Metrics.samples is a field of the type.
        guard let (type, name) = NameTokens.member(of: variable.name) else { return Name(holder: variable.name) }
        return Name(holder: String(type), field: String(name))
    }

    /// It belongs to what holds it: a buffer, or an element of a list whose elements hold each other.
    private func isPart(_ node: UInt32, of stack: StackID) -> Bool {
        ownership.names.isBuffer(node) || ownership.heap.stacks[Int(node)] == stack
    }

    private func above(_ node: UInt32) -> UInt32 {
        let parent = ownership.tree.parent[Int(node)]
        return parent == DominatorTree.none ? ownership.entry : parent
    }

    private func text(_ node: UInt32) -> String { ownership.names.text(ownership.names.number(node)) }

    /// How many of the blocks the node retains; it retains itself.
    private func retained(by node: UInt32, of members: [UInt32]) -> Int {
        let range = ownership.tree.range(of: node)
        return first(in: members, from: range.upperBound + 1) - first(in: members, from: range.lowerBound)
    }

    /// The first of the blocks at that position or behind it.
    private func first(in members: [UInt32], from position: UInt32) -> Int {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if ownership.tree.position(of: members[middle]) < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: - Fields

    /// What the node holds of which the block is a part, a few steps above it.
    private func element(above block: UInt32, below node: UInt32) -> UInt32? {
        var element = block
        for _ in 0..<Self.elementDepth {
            let next = above(element)
            if next == node { return element }
            element = next
        }
        return nil
    }

    private func references(of node: UInt32) -> some Sequence<(reference: Int, target: UInt32)> {
        ownership.graph.references(of: node).lazy.compactMap { reference in
            ownership.graph.target(reference).map { (reference, $0) }
        }
    }

    private func field(of node: UInt32, to target: UInt32) -> String? {
        references(of: node).first { $0.target == target }.flatMap { label($0.reference) }
    }

    private func label(_ reference: Int) -> String? {
        guard let path = ownership.label(reference)?.path, !path.isEmpty else { return nil }
        return FieldName.clean(path)
    }

    /// Elements that refer to each other too are held by the object and not by its collection alone: the field of the
    /// buffer that refers to most of them.
    private func field(of node: UInt32, to members: [UInt32]) -> String? {
        let wanted = Set(members.compactMap { element(above: $0, below: node) })
        let least = max(1, Int(Double(wanted.count) * Self.most))
        var best: (count: Int, reference: Int)?
        for (reference, buffer) in references(of: node) where ownership.names.isBuffer(buffer) {
            let count = references(of: buffer).count { wanted.contains($0.target) }
            if count >= least, count > best?.count ?? 0 { best = (count, reference) }
        }
        return best.flatMap { label($0.reference) }
    }
}
