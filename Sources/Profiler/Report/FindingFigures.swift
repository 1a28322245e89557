/// The numbers of a finding in a line.
enum FindingFigures {
    /// `3 cycles · 27 objects · 4.1 KB`
    static func line(_ finding: Finding) -> String {
        if finding.kind == .growth {
            let bytes = Quantity.bytes(finding.bytes)
            guard let growth = finding.growth, let rate = growth.perRepetition, let number = growth.repetitions else {
                return "+\(Quantity.count(finding.count)) over the run · \(bytes)"
            }
            return "+\(MeasureUnit.count.text(rate)) per \(growth.scenario ?? "repetition"), "
                + "\(Quantity.count(number, "repetition")) · \(bytes)"
        }
        let objects = finding.objects.values.reduce(0, +)
        var parts: [String] = []
        if finding.count > 1 || finding.kind == .retainCycle { parts.append(instances(finding)) }
        if objects > finding.count || finding.kind != .retainCycle, finding.kind != .rawLeak || objects > finding.count
        {
            parts.append(Quantity.count(objects, "object"))
        }
        if finding.kind == .rawLeak, finding.count == 1 { parts.append("1 block") }
        parts.append(Quantity.bytes(finding.bytes))
        return parts.joined(separator: " · ")
    }

    private static func instances(_ finding: Finding) -> String {
        switch finding.kind {
        case .retainCycle, .reachableCycle: Quantity.count(finding.count, "cycle")
        case .leak: Quantity.count(finding.count, "leak")
        case .overRetain: Quantity.count(finding.count, "over-retain")
        case .rawLeak: Quantity.count(finding.count, "block")
        case .zombie: Quantity.count(finding.count, "use")
        case .growth: "+\(Quantity.count(finding.count))"
        case .outlived: Quantity.count(finding.count, "object")
        }
    }
}
