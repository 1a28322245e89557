import GameprofBasics
import GameprofCheck
import Yams

/// Reads the nodes of a budget strictly: what it does not know is an error, not ignored.
struct BudgetParser {
    let file: String

    func budget(_ root: Node) throws -> Budget {
        let mapping = try self.mapping(
            root, "a budget must be a mapping with the keys version, tolerance and scenarios")
        var budget = Budget()
        for (key, _, value) in try entries(of: mapping, as: BudgetKey.self) {
            switch key {
            case .version:
                guard value.scalar?.string == "1" else {
                    throw error(value, "version \(value.scalar?.string ?? "?") is not known; only version 1 is")
                }
            case .tolerance: budget.tolerance = try quantity(value, "tolerance", as: [.share])
            case .scenarios:
                let scenarios = try self.mapping(value, "scenarios must be a mapping from names to limits")
                budget.scenarios = try scenarios.map { key, value in try scenario(key, value) }
                guard !budget.scenarios.isEmpty else { throw error(value, "there is no scenario") }
            }
        }
        guard !budget.scenarios.isEmpty else { throw error(root, "the key scenarios is missing") }
        return budget
    }

    private func scenario(_ key: Node, _ node: Node) throws -> Budget.Scenario {
        var scenario = Budget.Scenario(name: try text(key, "the name of a scenario"))
        scenario.place = place(key)
        let mapping = try self.mapping(node, "a scenario must be a mapping of limits")
        for (key, name, value) in try entries(of: mapping, as: ScenarioKey.self) {
            switch key {
            case .run(.run): scenario.program = try program(value)
            case .run(.exit): scenario.exit = try exit(value)
            case .run(.timeout):
                scenario.timeout = try quantity(value, "timeout", as: [.nanoseconds]) / 1e9
                guard scenario.timeout != 0 else { throw error(value, "timeout must be more than zero") }
            case .run(.repetitions):
                let count = try quantity(value, "repeat", as: [.count])
                guard (1...1000).contains(count) else { throw error(value, "repeat must be a number from 1 to 1000") }
                scenario.repetitions = Int(count)
            case .findings(let family):
                let most = try quantity(value, family.rawValue, as: [.count])
                scenario.limits.append(.init(measure: .findings(family), most: most, place: place(name)))
            case .memory(let key): scenario.limits += try memoryLimits(key, name, value)
            case .everyFrame(let figure):
                let most = try quantity(value, figure.rawValue, as: [figure.unit])
                scenario.limits.append(.init(measure: .everyFrame(figure), most: most, place: place(name)))
            case .group(.types):
                for (type, limits) in try self.mapping(value, "types must be a mapping from types to limits") {
                    scenario.limits += try typeLimits(type, limits)
                }
            case .group(.growthOf):
                for (holder, limit) in try self.mapping(
                    value,
                    "growth-of must be a mapping from holders to what they may keep, such as {Cache.entries: 1000}")
                {
                    let read = try BudgetQuantity(limit, name: "growth-of", units: [.count, .bytes], file: file)
                    let pattern = GlobPattern(try text(holder, "the name of a holder"))
                    scenario.limits.append(
                        .init(measure: .kept(holder: pattern, read.unit), most: read.value, place: place(holder)))
                }
            case .group(.functions):
                for (function, limits) in try self.mapping(
                    value, "functions must be a mapping from functions to their share of the time")
                {
                    scenario.limits += try shareLimits(function, limits)
                }
            case .group(.probes):
                for (probe, limits) in try self.mapping(value, "probes must be a mapping from names to limits") {
                    scenario.limits += try probeLimits(probe, limits) { .probe($0, $1) }
                }
            case .group(.frames):
                for (loop, limits) in try self.mapping(value, "frames must be a mapping from loops to limits") {
                    scenario.limits += try probeLimits(loop, limits) { .frame($0, $1) }
                }
            }
        }
        return scenario
    }

    private func typeLimits(_ key: Node, _ node: Node) throws -> [Budget.Limit] {
        let type = GlobPattern(try text(key, "the name of a type"))
        let mapping = try self.mapping(node, "the limits of a type must be a mapping, such as {live: 0, peak: 4 MB}")
        let entries = try entries(of: mapping, as: MemoryKey.self)
        guard !entries.isEmpty else { throw error(node, "there is no limit for \(type.text)") }
        return try entries.map { key, name, value in try memoryLimit(key, name, value, type: type) }
    }

    private func growthRate(_ key: Node, _ value: Node, type: GlobPattern?) throws -> Budget.Limit {
        let read = try BudgetQuantity(
            value, name: Measure.growthRateKey, units: [.count], isWhole: false, file: file)
        return .init(measure: .growthRate(type: type), most: read.value, place: place(key))
    }

    /// Of all blocks, or for each type of a mapping: `live: {Board: 40}`.
    private func memoryLimits(_ key: MemoryKey, _ name: Node, _ value: Node) throws -> [Budget.Limit] {
        guard case .mapping(let mapping) = value else { return [try memoryLimit(key, name, value, type: nil)] }
        guard !mapping.isEmpty else { throw error(value, "there is no type with a limit of \(key.rawValue)") }
        return try mapping.map { type, limit in
            try memoryLimit(key, type, limit, type: GlobPattern(try text(type, "the name of a type")))
        }
    }

    /// The unit tells blocks from bytes: `live: 36` are blocks, `live: 4 KB` bytes.
    private func memoryLimit(
        _ key: MemoryKey, _ name: Node, _ value: Node, type: GlobPattern?
    ) throws -> Budget.Limit {
        let figures: [MeasureUnit: Measure.MemoryFigure]
        switch key {
        case .allocations: figures = [.count: .allocations, .bytes: .allocatedBytes]
        case .live: figures = [.count: .live, .bytes: .liveBytes]
        case .peak: figures = [.bytes: .peak]
        case .temporary: figures = [.count: .temporary, .share: .temporaryShare]
        case .retained: figures = [.bytes: .retained]
        case .growthRate: return try growthRate(name, value, type: type)
        case .retainedGrowth:
            let most = try quantity(value, key.rawValue, as: [.bytes])
            return .init(measure: .retainedGrowth(type: type), most: most, place: place(name))
        case .afterWarning:
            guard type == nil else { throw error(name, "after-warning limits all memory, not a type") }
            let most = try quantity(value, key.rawValue, as: [.share])
            return .init(measure: .afterWarning, most: most, place: place(name))
        }
        let read = try BudgetQuantity(value, name: key.rawValue, units: Array(figures.keys), file: file)
        guard let figure = figures[read.unit] else { throw error(value, "\(key.rawValue) has another unit") }
        return .init(measure: .memory(figure, type: type), most: read.value, place: place(name))
    }

    private func shareLimits(_ key: Node, _ node: Node) throws -> [Budget.Limit] {
        let function = GlobPattern(try text(key, "the name of a function"))
        guard case .mapping(let mapping) = node else {
            let most = try quantity(node, "the share of a function", as: [.share])
            return [.init(measure: .share(function: function, isOwn: false), most: most, place: place(key))]
        }
        let entries = try entries(of: mapping, as: ShareKey.self)
        guard !entries.isEmpty else { throw error(node, "there is no limit for \(function.text)") }
        return try entries.map { key, name, value in
            let most = try quantity(value, key.rawValue, as: [.share])
            return .init(measure: .share(function: function, isOwn: key == .own), most: most, place: place(name))
        }
    }

    private func probeLimits(
        _ key: Node, _ node: Node, measure: (String, Measure.ProbeFigure) -> Measure
    ) throws -> [Budget.Limit] {
        let name = try text(key, "the name of a probe")
        let mapping = try self.mapping(
            node, "the limits of a probe must be a mapping, such as {p95: 2 ms, allocations: 12}")
        let entries = try entries(of: mapping, as: Measure.ProbeFigure.self)
        guard !entries.isEmpty else { throw error(node, "there is no limit for \(name)") }
        return try entries.map { figure, key, value in
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
            throw error(node, "run does not use a shell, so \(mark) has no meaning; write a list of arguments instead")
        }
        return line.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private func exit(_ node: Node) throws -> Budget.ExpectedExit {
        if node.scalar?.string == "any" { return .any }
        guard let code = node.scalar.flatMap({ Int($0.string) }), (0...255).contains(code) else {
            throw error(node, "exit must be a code from 0 to 255, or any")
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
            throw error(node, "\(what) must be a non-empty text")
        }
        return text
    }

    /// The entries of a mapping whose keys are these, in the order of the file: another key is an error.
    private func entries<Key: CaseIterable & RawRepresentable<String>>(
        of mapping: Node.Mapping, as _: Key.Type
    ) throws -> [(key: Key, name: Node, value: Node)] {
        try mapping.map { name, value in
            guard let key = Key(rawValue: name.scalar?.string ?? "") else {
                throw error(name, UnknownName.sentence("key", name, known: Key.allCases.map(\.rawValue)))
            }
            return (key, name, value)
        }
    }

    private func place(_ node: Node) -> String? { node.mark.map { "\(file):\($0.line):\($0.column)" } }

    private func error(_ node: Node, _ sentence: String) -> YAMLFileError { YAMLFileError(file: file, node, sentence) }
}
