import Yams

/// Reads the nodes of a budget strictly: what it does not know is an error, not ignored.
struct BudgetParser {
    let file: String

    private static let memoryKeys = ["allocations", "live", "peak", "temporary"]
    private static let scenarioKeys =
        ["run", "exit"] + FindingFamily.allCases.map(\.rawValue) + memoryKeys
        + [Measure.growthRateKey, "types", "functions", "probes", "frames"]

    func budget(_ root: Node) throws -> Budget {
        let mapping = try self.mapping(root, "a budget is a mapping of version, tolerance and scenarios")
        try refuseUnknownKeys(in: mapping, known: ["version", "tolerance", "scenarios"])
        if let version = mapping["version"], version.scalar?.string != "1" {
            throw error(version, "version \(version.scalar?.string ?? "?") is not known, only 1")
        }
        var budget = Budget()
        if let tolerance = mapping["tolerance"] {
            budget.tolerance = try quantity(tolerance, "tolerance", as: [.share])
        }
        guard let node = mapping["scenarios"] else { throw error(root, "the key scenarios is missing") }
        let scenarios = try self.mapping(node, "scenarios are a mapping from a name to its limits")
        budget.scenarios = try scenarios.map { key, value in try scenario(key, value) }
        guard !budget.scenarios.isEmpty else { throw error(node, "there is no scenario") }
        return budget
    }

    private func scenario(_ key: Node, _ node: Node) throws -> Budget.Scenario {
        var scenario = Budget.Scenario(name: try text(key, "the name of a scenario"))
        let mapping = try self.mapping(node, "a scenario is a mapping of limits")
        try refuseUnknownKeys(in: mapping, known: Self.scenarioKeys)
        for (key, value) in mapping {
            switch key.scalar?.string ?? "" {
            case "run": scenario.program = try program(value)
            case "exit": scenario.exit = try exit(value)
            case "types":
                for (type, limits) in try self.mapping(value, "types are a mapping from a type to its limits") {
                    scenario.limits += try typeLimits(type, limits)
                }
            case "functions":
                for (function, limits) in try self.mapping(
                    value, "functions are a mapping from a function to its share of the time")
                {
                    scenario.limits += try shareLimits(function, limits)
                }
            case "probes":
                for (probe, limits) in try self.mapping(value, "probes are a mapping from a name to its limits") {
                    scenario.limits += try probeLimits(probe, limits) { .probe($0, $1) }
                }
            case "frames":
                for (loop, limits) in try self.mapping(value, "frames are a mapping from a loop to its limits") {
                    scenario.limits += try probeLimits(loop, limits) { .frame($0, $1) }
                }
            case Measure.growthRateKey: scenario.limits.append(try growthRate(key, value, type: nil))
            case let name where Self.memoryKeys.contains(name):
                scenario.limits.append(try memoryLimit(key, value, type: nil))
            case let name:
                guard let family = FindingFamily(rawValue: name) else { continue }
                let most = try quantity(value, name, as: [.count])
                scenario.limits.append(.init(measure: .findings(family), most: most, place: place(key)))
            }
        }
        return scenario
    }

    private func typeLimits(_ key: Node, _ node: Node) throws -> [Budget.Limit] {
        let type = GlobPattern(try text(key, "the name of a type"))
        let mapping = try self.mapping(node, "the limits of a type are a mapping, as {live: 0, peak: 4 MB}")
        try refuseUnknownKeys(in: mapping, known: Self.memoryKeys + [Measure.growthRateKey])
        guard !mapping.isEmpty else { throw error(node, "there is no limit for \(type.text)") }
        return try mapping.map { key, value in
            key.scalar?.string == Measure.growthRateKey
                ? try growthRate(key, value, type: type) : try memoryLimit(key, value, type: type)
        }
    }

    private func growthRate(_ key: Node, _ value: Node, type: GlobPattern?) throws -> Budget.Limit {
        let read = try BudgetQuantity(
            value, name: Measure.growthRateKey, units: [.count], isWhole: false, file: file)
        return .init(measure: .growthRate(type: type), most: read.value, place: place(key))
    }

    /// The unit tells blocks from bytes: `live: 36` are blocks, `live: 4 KB` bytes.
    private func memoryLimit(_ key: Node, _ value: Node, type: GlobPattern?) throws -> Budget.Limit {
        let name = key.scalar?.string ?? ""
        let figures: [MeasureUnit: Measure.MemoryFigure] =
            switch name {
            case "allocations": [.count: .allocations, .bytes: .allocatedBytes]
            case "live": [.count: .live, .bytes: .liveBytes]
            case "peak": [.bytes: .peak]
            default: [.count: .temporary, .share: .temporaryShare]
            }
        let read = try BudgetQuantity(value, name: name, units: Array(figures.keys), file: file)
        guard let figure = figures[read.unit] else { throw error(value, "\(name) has another unit") }
        return .init(measure: .memory(figure, type: type), most: read.value, place: place(key))
    }

    private func shareLimits(_ key: Node, _ node: Node) throws -> [Budget.Limit] {
        let function = GlobPattern(try text(key, "the name of a function"))
        guard case .mapping(let mapping) = node else {
            let most = try quantity(node, "the share of a function", as: [.share])
            return [.init(measure: .share(function: function, isOwn: false), most: most, place: place(key))]
        }
        try refuseUnknownKeys(in: mapping, known: ["total", "self"])
        guard !mapping.isEmpty else { throw error(node, "there is no limit for \(function.text)") }
        return try mapping.map { key, value in
            let isOwn = key.scalar?.string == "self"
            let most = try quantity(value, isOwn ? "self" : "total", as: [.share])
            return .init(measure: .share(function: function, isOwn: isOwn), most: most, place: place(key))
        }
    }

    private func probeLimits(
        _ key: Node, _ node: Node, measure: (String, Measure.ProbeFigure) -> Measure
    ) throws -> [Budget.Limit] {
        let name = try text(key, "the name of a probe")
        let mapping = try self.mapping(node, "the limits of a probe are a mapping, as {p95: 2 ms, allocations: 12}")
        try refuseUnknownKeys(in: mapping, known: Measure.ProbeFigure.allCases.map(\.rawValue))
        guard !mapping.isEmpty else { throw error(node, "there is no limit for \(name)") }
        return try mapping.compactMap { key, value in
            guard let figure = key.scalar.flatMap({ Measure.ProbeFigure(rawValue: $0.string) }) else { return nil }
            let most = try quantity(value, figure.rawValue, as: [figure.unit])
            return .init(measure: measure(name, figure), most: most, place: place(key))
        }
    }

    private func program(_ node: Node) throws -> [String] {
        if let words = node.sequence {
            guard !words.isEmpty else { throw error(node, "run names no program") }
            return try words.map { try text($0, "an argument", mayBeEmpty: true) }
        }
        let line = try text(node, "run")
        if let mark = line.first(where: { "\"'\\$`|;&<>".contains($0) }) {
            throw error(node, "run goes to no shell, so \(mark) has no meaning; write a list of arguments instead")
        }
        return line.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private func exit(_ node: Node) throws -> Budget.ExpectedExit {
        if node.scalar?.string == "any" { return .any }
        guard let code = node.scalar.flatMap({ Int($0.string) }), (0...255).contains(code) else {
            throw error(node, "exit is a code from 0 to 255, or any")
        }
        return .code(code)
    }

    private func quantity(_ node: Node, _ name: String, as units: [MeasureUnit]) throws -> Double {
        try BudgetQuantity(node, name: name, units: units, file: file).value
    }

    private func mapping(_ node: Node, _ sentence: String) throws -> Node.Mapping {
        guard case .mapping(let mapping) = node else { throw error(node, sentence) }
        return mapping
    }

    private func text(_ node: Node, _ what: String, mayBeEmpty: Bool = false) throws -> String {
        guard let text = node.scalar?.string, mayBeEmpty || !text.isEmpty else {
            throw error(node, "\(what) must be a text that is not empty")
        }
        return text
    }

    private func refuseUnknownKeys(in mapping: Node.Mapping, known: [String]) throws {
        for (key, _) in mapping where !known.contains(key.scalar?.string ?? "") {
            let list = known.joined(separator: ", ")
            throw error(key, "the key \(key.scalar?.string ?? "?") is not known; keys are \(list)")
        }
    }

    private func place(_ node: Node) -> String? { node.mark.map { "\(file):\($0.line):\($0.column)" } }

    private func error(_ node: Node, _ sentence: String) -> YAMLFileError { YAMLFileError(file: file, node, sentence) }
}
