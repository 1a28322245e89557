import GameprofBasics
import GameprofTrace

/// The object for which the runtime ended the program: its deinit handed it out.
struct EscapeAnalysis {
    let recording: Recording
    let symbolicator: any Symbolicating

    /// Nil: the program ended otherwise, or neither leaks nor zombies were looked for.
    func finding(of crash: Report.Crash?) -> AnalyzedFinding? {
        let instruments = recording.program?.instruments ?? []
        guard let crash, let message = crash.message, let named = Self.type(in: message),
            instruments.contains(.leaks) || instruments.contains(.zombies)
        else { return nil }
        let holders = TargetHolders(recording: recording, symbolicator: symbolicator)
        let (snapshot, object) = holders.target(.escaped) ?? (nil, nil)
        let name = object.map { recording.types.name($0.type) } ?? ""
        let type = name.isEmpty ? named : name
        let (held, holder) =
            snapshot.flatMap { snapshot in object.map { holders.path(to: $0, in: snapshot) } } ?? ([], nil)
        var hash = StableHash()
        for part in [Finding.Kind.zombie.rawValue, type, "escape"] { hash.combine(part) }
        var finding = AnalyzedFinding(
            .escapedDeinit(holder: holder), remedy: .keepOutOfDeinit(type: type, holder: holder),
            signature: hash.value.hexDigits, type: type)
        finding.facts.bytes = object?.size ?? 0
        finding.facts.objects = [type: 1]
        finding.facts.heldBy = held.isEmpty ? nil : held
        finding.facts.deallocatedBy = crash.stack
        finding.facts.deallocatedBy?.thread = crash.thread
        finding.facts.firstSeenSeconds = crash.seconds
        guard let snapshot, let object else { return finding }
        let stacks = [object.stack] + keepers(of: object, in: snapshot).map(\.stack)
        symbolicator.prepare(stacks: Set(stacks), addresses: [])
        finding.facts.allocatedBy = CallStack(symbolicator.stack(object.stack))
        // What the deinit made to keep it in tells where it was kept.
        finding.facts.usedBy = stacks.dropFirst().lazy.map(symbolicator.stack).first { stack in
            stack.frames.contains { FunctionName.isInDeinit($0.function) }
        }.flatMap { CallStack($0) }
        return finding
    }

    /// `Session` in "Object 0x55d9 of class Session deallocated with non-zero retain count 2. …"
    private static func type(in message: String) -> String? {
        message.firstMatch(of: /^Object 0x[0-9a-f]+ of class (.+) deallocated with non-zero retain count/)
            .map { Identifier.withSpaces(String($0.output.1)) }
    }

    private func keepers(of object: HeapObject, in snapshot: HeapSnapshot) -> [HeapObject] {
        snapshot.references.filter { $0.to == object.id }.compactMap { snapshot.object($0.from) }
    }
}
