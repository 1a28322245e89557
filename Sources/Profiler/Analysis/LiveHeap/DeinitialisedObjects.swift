import GameprofBasics
import GameprofTrace

/// Objects of the user's whose deinit has run, and whose memory unowned references keep: neither lost nor in use.
struct DeinitialisedObjects {
    /// Those of a type that one property, or a capture, refers to.
    struct Group {
        var type: String
        var members: [UInt32] = []
        var bytes: UInt64 = 0
        /// A block with such a reference.
        var source: UInt32
        /// `from` is the type that declares the reference; empty: a closure captures them.
        var reference: Reference
    }

    /// Fewer bytes are not worth a line.
    private static let least: UInt64 = 1024

    private let ownership: HeapOwnership

    init(_ ownership: HeapOwnership) { self.ownership = ownership }

    /// The groups, the most bytes first. Linear in blocks and references.
    func groups() -> [Group] {
        struct Key: Hashable { let type, source: Int32, label: UInt16 }
        let (heap, names) = (ownership.heap, ownership.names)
        var groups: [Key: Group] = [:]
        var seen: Set<UInt32> = []
        guard heap.targets.indices.contains(where: { heap.ownership(of: $0) == .unowned }) else { return [] }
        for source in ownership.living where source < heap.count {
            for edge in heap.references(of: Int(source)) where heap.ownership(of: edge) == .unowned {
                let target = heap.targets[edge]
                guard heap.isDeinitialised(Int(target)), names.kind(target) == .user, seen.insert(target).inserted
                else {
                    continue
                }
                let key = Key(
                    type: names.number(target), source: names.number(source), label: heap.label(of: edge))
                let type = names.text(key.type)
                var group =
                    groups[key] ?? Group(type: type, source: source, reference: reference(edge, of: source, type))
                group.members.append(target)
                group.bytes &+= heap.sizes[Int(target)]
                groups[key] = group
            }
        }
        return groups.values.filter { $0.bytes >= Self.least }
            .sorted { ($0.bytes, $1.members[0]) > ($1.bytes, $0.members[0]) }
    }

    private func reference(_ edge: Int, of source: UInt32, _ type: String) -> Reference {
        let path = FieldName.clean(ownership.heap.labels[Int(ownership.heap.label(of: edge))].path)
        let name = ownership.names.text(ownership.names.number(source))
        let holder: String
        switch ownership.names.kind(source) {
        case .user, .library: holder = name
        // What has the reference lies in the storage: `Game.Entry` of `Swift._DictionaryStorage<Swift.Int, Game.Entry>`.
        case .storage: holder = TypeName.arguments(name).last.map(String.init) ?? name
        case .context, .task, .raw: holder = ""
        }
        return Reference(
            from: holder, field: FieldName.property(of: path), to: type, path: path,
            ownership: "\(Ownership.unowned)")
    }
}
