import GameprofBasics

/// Whether a finding of a recording is what a static finding predicts.
enum StaticFindingMatch {
    static func matches(_ suspect: StaticFinding, _ finding: Finding) -> Bool {
        switch finding.kind {
        case .retainCycle, .reachableCycle:
            return finding.references.contains { matches(suspect, $0) }
        case .overRetain, .leak:
            guard suspect.rule == "unmanaged" else { return false }
            return isSame(suspect.type, finding.type) || isNamed(suspect.function, in: finding.allocatedBy)
        case .zombie:
            guard suspect.rule == "unmanaged" || suspect.rule == "unowned-outlived" else { return false }
            // The release by hand need not be the one that was the last.
            if suspect.rule == "unmanaged", isSame(suspect.type, finding.type) { return true }
            return isNamed(suspect.function, in: finding.deallocatedBy) || isNamed(suspect.function, in: finding.usedBy)
                || isNamed(suspect.type, asTypeIn: finding.usedBy)
        case .growth, .accumulation, .rawLeak, .outlived, .abandoned, .descriptorLeak, .lostMapping,
            .unjoinedThread, .deinitialised:
            return false
        }
    }

    /// Rules whose suspect is a closure, and those whose suspect is a property.
    private static let properties: Set<String> = [
        "back-reference", "strong-delegate", "payload-reference", "mutual-reference",
    ]
    private static let others: Set<String> = ["unmanaged", "unowned-outlived"]

    private static func matches(_ suspect: StaticFinding, _ reference: Reference) -> Bool {
        if others.contains(suspect.rule) { return false }
        if properties.contains(suspect.rule) {
            guard reference.ownership == "strong", let (type, field) = NameTokens.member(of: suspect.holder) else {
                return false
            }
            return isSame(String(type), reference.from)
                && (reference.field == field || reference.path.hasSuffix(".\(field)"))
                || reference.path.hasSuffix(".\(suspect.field)") && isSame(suspect.type, reference.to)
        }
        guard let closure = reference.closure else { return false }
        return isSamePlace(suspect, reference) || FunctionName.member(closure) == FunctionName.member(suspect.function)
    }

    /// The closure begins on the suspect's line, or on the next.
    private static func isSamePlace(_ suspect: StaticFinding, _ reference: Reference) -> Bool {
        guard let file = reference.file?.split(separator: "/").last, let line = reference.line else { return false }
        return suspect.file.split(separator: "/").last == file && (suspect.line...(suspect.line + 1)).contains(line)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        !one.isEmpty && TypeName.bare(one) == TypeName.bare(other)
    }

    private static func isNamed(_ function: String, in stack: CallStack?) -> Bool {
        guard !function.isEmpty, let stack else { return false }
        return stack.frames.contains {
            $0.origin == .user && FunctionName.member($0.function) == FunctionName.member(function)
        }
    }

    private static func isNamed(_ type: String, asTypeIn stack: CallStack?) -> Bool {
        guard !type.isEmpty, let stack else { return false }
        return stack.frames.prefix(2).contains { FunctionName.enclosingType($0.function) == TypeName.bare(type) }
    }
}
