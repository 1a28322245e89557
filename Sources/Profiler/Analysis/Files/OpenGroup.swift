import GameprofBasics
import GameprofTrace

/// Descriptors that stacks with the same functions and lines opened and that were open at the end.
struct OpenGroup {
    /// One of them.
    var stack: StackID
    /// In the order in which they were opened.
    var members: [OpenFileRecord]
    /// How many they opened in all.
    var opened: UInt64
    /// What they opened.
    var files: Set<FileID> = []

    mutating func add(_ other: OpenGroup) {
        members = (members + other.members).sorted { ($0.opened, $0.descriptor) < ($1.opened, $1.descriptor) }
        opened.add(clamping: other.opened)
        files.formUnion(other.files)
    }

    private struct Place: Hashable {
        var frames: [CallStack.Frame]
        /// Where no frame is known.
        var stack: StackID?

        init(_ id: StackID, _ symbolicator: any Symbolicating) {
            frames = CallStack(symbolicator.stack(id))?.telling ?? []
            if frames.isEmpty { stack = id }
        }
    }

    /// Most members first. Without the three standard descriptors, whatever they were made to stand for.
    static func groups(of uses: FileUses, _ symbolicator: any Symbolicating) -> [OpenGroup] {
        var groups: [StackID: OpenGroup] = [:]
        func change(_ stack: StackID, _ body: (inout OpenGroup) -> Void) {
            body(&groups[stack, default: OpenGroup(stack: stack, members: [], opened: 0)])
        }
        for (key, tally) in uses.tallies where key.operation == .open {
            change(key.stack) {
                $0.opened.add(clamping: tally.calls - min(tally.calls, tally.failures))
                $0.files.insert(key.file)
            }
        }
        for file in uses.open where file.descriptor > 2 { change(file.stack) { $0.members.append(file) } }
        symbolicator.prepare(stacks: Set(groups.keys), addresses: [])
        return Dictionary(grouping: groups.values.sorted { $0.stack < $1.stack }) { Place($0.stack, symbolicator) }
            .values.map { parts in
                parts.reduce(into: OpenGroup(stack: parts[0].stack, members: [], opened: 0)) { $0.add($1) }
            }
            .filter { !$0.members.isEmpty }
            .sorted { ($1.members.count, $0.stack) < ($0.members.count, $1.stack) }
    }
}
