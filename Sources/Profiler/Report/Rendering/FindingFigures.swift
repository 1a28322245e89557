import GameprofAnalysis
import GameprofBasics

/// The numbers of a finding in a line.
package enum FindingFigures {
    /// `3 cycles · 27 objects · 4.1 KB`
    package static func line(_ finding: Finding) -> String {
        if finding.kind == .growth {
            let bytes = NumberFormat.bytes(finding.bytes)
            guard let growth = finding.growth, let rate = growth.perRepetition, let number = growth.repetitions else {
                return "+\(NumberFormat.count(finding.count)) over the run · \(bytes)"
            }
            return "+\(MeasureUnit.count.text(rate)) per \(growth.scenario ?? "repetition"), "
                + "\(NumberFormat.count(number, "repetition")) · \(bytes)"
        }
        if finding.kind == .descriptorLeak { return instances(finding) }
        if [.lostMapping, .unjoinedThread].contains(finding.kind) {
            return "\(instances(finding)) · \(NumberFormat.bytes(finding.bytes)) of address space"
        }
        let objects = finding.objects.values.clampedSum
        var parts: [String] = []
        if [.abandoned, .accumulation, .deinitialised].contains(finding.kind), objects == finding.count {
            return "\(instances(finding)) · \(NumberFormat.bytes(finding.bytes))"
        }
        if finding.count > 1 || finding.kind == .retainCycle { parts.append(instances(finding)) }
        if objects > finding.count || finding.kind != .retainCycle, finding.kind != .rawLeak || objects > finding.count
        {
            parts.append(NumberFormat.count(objects, "object"))
        }
        if finding.kind == .rawLeak, finding.count == 1 { parts.append("1 block") }
        parts.append(NumberFormat.bytes(finding.bytes))
        return parts.joined(separator: " · ")
    }

    package static func instances(_ finding: Finding) -> String {
        switch finding.kind {
        case .retainCycle, .reachableCycle: NumberFormat.count(finding.count, "cycle")
        case .leak: NumberFormat.count(finding.count, "leak")
        case .overRetain: NumberFormat.count(finding.count, "over-retain")
        case .rawLeak: NumberFormat.count(finding.count, "block")
        case .zombie: NumberFormat.count(finding.count, "use")
        case .growth: "+\(NumberFormat.count(finding.count))"
        case .descriptorLeak: NumberFormat.count(finding.count, "descriptor")
        case .lostMapping: NumberFormat.count(finding.count, "mapping")
        case .unjoinedThread: NumberFormat.count(finding.count, "thread")
        case .outlived, .abandoned, .accumulation, .deinitialised: NumberFormat.count(finding.count, "instance")
        }
    }
}
